import { type StatedLook, wholeCluster } from './ledger.ts'
import type { Scan } from './scan.ts'

/** Categories of checks by the names that Trivy has for its scanners. */
const categories: Record<NonNullable<StatedLook['lookedAt']>[number], string> = {
  vuln: 'Vulnerability',
  misconfig: 'Misconfiguration',
  secret: 'Secret',
}

/**
 * The scan with the uploader's statement, which wins over its report. Parts count for reports of Trivy only: other scanners
 * state theirs, and a list of Trivy's parts would exclude all of them.
 */
export function withStated(scan: Scan, stated: StatedLook): Scan {
  const { subject, lookedAt } = stated
  if (subject === undefined && lookedAt === undefined) return scan
  const [first = wholeCluster] = scan.subjects
  const parts = scan.format === 'trivy' ? lookedAt?.map((part) => categories[part]) : undefined
  const ignored = lookedAt && !parts ? [`Ignored: looked_at, which is for reports of trivy, not ${scan.format}.`] : []
  return {
    ...scan,
    warnings: [...(scan.warnings ?? []), ...ignored],
    ...(subject !== undefined && {
      subjects: [{ kind: first.kind === 'cluster' ? 'folder' : first.kind, name: subject, tool: first.tool }],
      index: { ...scan.index, checks: scan.index.checks.map(({ subject: _, ...check }) => check) },
    }),
    ...(parts && { scope: { ...scan.scope, parts: [...new Set([...(scan.scope.parts ?? []), ...parts])] } }),
  }
}
