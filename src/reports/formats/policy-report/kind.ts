import { string } from '../../read.ts'

const kinds: Record<string, string[]> = {
  'wgpolicyk8s.io': ['PolicyReport', 'ClusterPolicyReport'],
  'openreports.io': ['Report', 'ClusterReport'],
}

/** Whether an object is a report of the Policy working group or of OpenReports. */
export function isPolicyReport({ apiVersion, kind }: Record<string, unknown>): boolean {
  const group = string(apiVersion)?.split('/')[0] ?? ''
  return kinds[group]?.includes(string(kind) ?? '') ?? false
}
