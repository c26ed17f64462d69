import type { FindingSeverity } from '../../../contract/cluster-report.ts'
import type { Io } from '../../output/io.ts'

export function colorOfSeverity({ color }: Io, severity: FindingSeverity | null): (text: string) => string {
  if (severity === null) return (text) => text
  const critical = (text: string) => color.bold(color.red(text))
  return { critical, high: color.red, medium: color.yellow, low: color.blue, info: color.dim }[severity]
}
