import { string } from '../../text.ts'

const kinds: Record<string, string[]> = {
  'wgpolicyk8s.io': ['policyreport', 'clusterpolicyreport'],
  // Newer name of the same API group.
  'reports.x-k8s.io': ['policyreport', 'clusterpolicyreport'],
  'openreports.io': ['report', 'clusterreport'],
}

/** Whether an object is a report of the Policy working group or of OpenReports. */
export function isPolicyReport({ apiVersion, kind }: Record<string, unknown>) {
  const group = string(apiVersion)?.split('/')[0]?.toLowerCase() ?? ''
  return Object.hasOwn(kinds, group) && kinds[group]!.includes(string(kind)?.toLowerCase() ?? '')
}
