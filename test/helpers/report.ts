import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A report of the native scanner with 141 checks, 40 failed, 107 findings and score 80; texts are left out. */
export const nativeReportFile = fileURLToPath(new URL('../fixtures/report-native-2026-04.json', import.meta.url))

export const exampleFile = (number: 1 | 2 | 3): string =>
  fileURLToPath(new URL(`../../examples/shop-${number}.json`, import.meta.url))

export interface TestItem {
  Namespace?: string
  Resource?: string
  Message?: string
  Value?: string
}

export interface TestReport {
  metadata: Record<string, unknown>
  checks: Record<
    string,
    { Severity: string; Total: number; Items: TestItem[] | TestItem | null } & Record<string, unknown>
  >
}

export function readReportFile(file: string): TestReport {
  return JSON.parse(readFileSync(file, 'utf8'))
}
