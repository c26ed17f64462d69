import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import type { Io } from '../../output/io.ts'

export function colorOfSeverity({ color }: Io, severity: FindingSeverity | null): (text: string) => string {
  if (severity === null) return (text) => text
  const critical = (text: string) => color.bold(color.red(text))
  return { critical, high: color.red, medium: color.yellow, low: color.blue, info: color.dim, unknown: color.yellow }[
    severity
  ]
}

/** Of a risk path: red where the scanner calls it urgent. */
export function colorOfPriority(
  { color }: Io,
  { is_open, fix_priority }: { is_open: boolean; fix_priority: string | null },
) {
  if (!is_open) return color.dim
  return /^(urgent|critical|high)$/i.test(fix_priority ?? '') ? color.red : color.yellow
}
