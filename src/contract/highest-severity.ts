import type { Severity } from './shape.ts'

const order: Severity[] = ['none', 'low', 'medium', 'high', 'critical']

export function highest(severities: readonly Severity[]): Severity {
  return order.findLast((severity) => severities.includes(severity)) ?? 'none'
}
