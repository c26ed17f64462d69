import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { toCommand } from '../../src/cli/program/to-command.ts'
import type { AnyVerb } from '../../src/cli/program/verb.ts'
import { runCli } from './cli.ts'

/** A folder for all tests of a file. */
export function folderOfFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'relt-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Everything a command prints, without colours, in the four forms that people and programs see. */
export async function printAll(argv: string[], home: string): Promise<string> {
  const plain = { home, env: { NO_COLOR: '1' } }
  const forms = [
    ['80 columns', await runCli(argv, { ...plain, columns: 80 })],
    ['120 columns', await runCli(argv, { ...plain, columns: 120 })],
    ['pipe', await runCli(argv, { home })],
    ['--json', await runCli([...argv, '--json'], { home })],
  ] as const
  const byText = Map.groupBy(forms, ([, { stdout, stderr }]) => `${stdout}${stderr && `--- stderr\n${stderr}`}`)
  const parts = [...byText].map(([text, same]) => `=== ${same.map(([form]) => form).join(', ')}\n${text}`)
  return withoutIds(`\n${parts.join('')}`)
}

/** What is random (ids of runs and clusters) or a matter of another test (fingerprints), as stars of the same width. */
export function withoutIds(text: string): string {
  const stars = (found: string) => '*'.repeat(found.length)
  return text
    .replace(/(?<=crun_)[a-z2-7]{16}|(?<=clus_)[0-9a-f]{16}/g, stars)
    .replace(/(?<="fingerprint":\s?")[0-9a-f]{32}/g, '*')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences that colours are made of
const colors = /\u001b\[[\d;]+m/g

export function withoutColors(text: string): string {
  return text.replace(colors, '')
}

/** What the `run` of a verb gets from argv, apart from the first argument. Refusals throw `CommanderError`. */
export async function parse(declared: unknown, argv: string[]): Promise<unknown[]> {
  let got: unknown[] = []
  const run = async (_cli: unknown, ...rest: unknown[]) => {
    got = rest
  }
  const context = { env: {}, stdin: {}, stdout: {}, stderr: {} }
  const command = toCommand(context as never, { ...(declared as AnyVerb), run })
  command.exitOverride().configureOutput({ writeErr: () => {} })
  await command.parseAsync(argv, { from: 'user' })
  return got
}
