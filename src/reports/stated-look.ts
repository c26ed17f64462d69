import { type StatedLook, wholeCluster } from './ledger.ts'
import type { Scan } from './scan.ts'

/** Categories of checks by the names that Trivy has for its scanners. */
const categories: Record<NonNullable<StatedLook['lookedAt']>[number], string> = {
  vuln: 'Vulnerability',
  misconfig: 'Misconfiguration',
  secret: 'Secret',
}

/** The scan with what is said about it, which wins over its report. */
export function withStated(scan: Scan, stated: StatedLook): Scan {
  const { subject, lookedAt } = stated
  if (subject === undefined && lookedAt === undefined) return scan
  const [first = wholeCluster] = scan.subjects
  const parts = lookedAt?.map((part) => categories[part])
  return {
    ...scan,
    stated,
    ...(subject !== undefined && {
      subjects: [{ kind: first.kind === 'cluster' ? 'folder' : first.kind, name: subject, tool: first.tool }],
      index: { ...scan.index, checks: scan.index.checks.map(({ subject: _, ...check }) => check) },
    }),
    ...(parts && { scope: { ...scan.scope, parts: [...new Set([...(scan.scope.parts ?? []), ...parts])] } }),
  }
}
