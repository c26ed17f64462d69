import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import type { ListedRun } from './list-runs.ts'

/** Fields derived from report and upload. Ids, and fields that the server sets, may differ. */
const compared = [
  'cluster_name',
  'environment',
  'provider',
  'region',
  'source',
  'source_version',
  'kubernetes_version',
  'score',
  'format',
  'total_checks',
  'failed_checks',
  'not_run_checks',
  'suppressed_findings',
  'findings',
  'artifacts',
  'ci',
  'started_at',
  'finished_at',
] as const satisfies (keyof ReceivedRun)[]

/** What differs in the copy of a run, as a sentence; undefined if no field in both records differs. */
export function problemOfCopy(source: ListedRun, copy: ListedRun | undefined): string | undefined {
  if (!copy) return 'it was sent, but is not listed afterwards'
  const differences = compared.flatMap((name) => {
    const [from, to] = [source.run[name], copy.run[name]]
    if (from == null || to == null) return []
    const [before, after] = [JSON.stringify(sortedMembers(from)), JSON.stringify(sortedMembers(to))]
    return before === after ? [] : [`${name} ${before} is ${after}`]
  })
  return differences.length === 0 ? undefined : `its copy differs: ${differences.join(', ')}`.slice(0, 500)
}

function sortedMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
