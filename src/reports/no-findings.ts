import type { FindingCounts } from '../contract/scan-finding.ts'

export const noFindings = (): FindingCounts => ({
  total: 0,
  critical: 0,
  high: 0,
  medium: 0,
  low: 0,
  info: 0,
  unknown: 0,
})
