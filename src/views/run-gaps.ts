import type { ReceivedComparison, ReceivedFreshness, ReceivedRun } from '../contract/received/cluster-report.ts'
import { coverageText } from '../reports/coverage-text.ts'
import { formatDay, type UnixSeconds } from '../util/time.ts'
import { count } from '../util/words.ts'
import { checksNotRun } from './not-run.ts'
import { firstOf, named, type Said, safe, say } from './said.ts'

/** Counts of findings by check, from which its gaps follow. */
interface Counted {
  checks: readonly { unlisted_rows: number }[]
  /** Null if unknown. */
  excluded_namespaces: readonly string[] | null
}

/** Available data about a run. A missing part is undefined. */
interface KnownOfRun {
  run: ReceivedRun
  /** Missing parts by title, with the reason. */
  missing: readonly [title: string, reason: string][]
  findings: Counted | undefined
  comparison: Pick<ReceivedComparison, 'incomparable_findings_count'> | undefined
  freshness: Pick<ReceivedFreshness, 'coverage' | 'items' | 'catalog_date'> | undefined
}

/** Number of findings that the scanner counted but its report does not list. */
export const countUnlisted = ({ checks }: Counted) => checks.reduce((sum, check) => sum + check.unlisted_rows, 0)

/** What is unknown about a run, one sentence each, so that silence is not mistaken for an all-clear. */
export function runGaps(known: KnownOfRun, now: UnixSeconds): Said[] {
  return [
    ...(known.run.is_empty
      ? [say`The report shows nothing that was looked at. Its findings and score mean nothing.`]
      : []),
    ...known.missing.map(([title, reason]) => say`${safe(title)}: ${reason}`),
    ...findingGaps(known),
    ...(known.freshness ? catalogGaps(known.freshness, known.run, now) : []),
  ]
}

/** States that every check ran; undefined if some did not, which are listed. */
export function everyCheckRan(run: ReceivedRun): Said | undefined {
  const { named, unnamed } = checksNotRun(run)
  if (named.length + unnamed > 0) return undefined
  return run.not_run_checks == null ? say`Whether every check ran is not known.` : say`Every check ran.`
}

function findingGaps({ run, findings, comparison }: KnownOfRun) {
  const { excluded_namespaces: excluded } = findings ?? {}
  const hidden = findings ? countUnlisted(findings) : 0
  const incomparable = comparison?.incomparable_findings_count ?? 0
  const found = (many: number) => safe(count(many, 'finding'))
  return [
    ...(excluded && excluded.length > 0
      ? [say`The scan left out ${safe(count(excluded.length, 'namespace'))}: ${toNames(excluded)}.`]
      : []),
    ...(excluded === null ? [say`Which namespaces the scan left out is not known.`] : []),
    ...(hidden > 0 ? [say`The scanner counted ${found(hidden)} that its report does not list.`] : []),
    ...(incomparable > 0 ? [say`${found(incomparable)} cannot be compared with the earlier run.`] : []),
    ...(run.not_looked_at_findings
      ? [say`The scan did not look at ${found(run.not_looked_at_findings)}, which stay open.`]
      : []),
    ...(run.suppressed_findings
      ? [say`Suppressed in the cluster or the scanner: ${found(run.suppressed_findings)}.`]
      : []),
  ]
}

function catalogGaps(
  { coverage, items, catalog_date: day }: NonNullable<KnownOfRun['freshness']>,
  run: ReceivedRun,
  now: UnixSeconds,
) {
  const today = formatDay(now)
  const undated = items.filter(({ artifact_type, eol }) => artifact_type !== 'helm_chart' && !eol).length
  return [
    coverage
      ? say`Coverage of the catalog: ${coverageText(coverage, run, today)}.`
      : say`The server does not say how much the catalog covers.`,
    day === null ? say`The day of the catalog is not known.` : say`The oldest facts are of ${safe(day)}.`,
    ...(undated > 0 ? [say`The end of support is not known for ${safe(count(undated, 'artifact'))}.`] : []),
  ]
}

const mostNames = 12

const toNames = (names: readonly string[]) =>
  firstOf(
    names.map((name) => [named('namespace', name.slice(0, 63))]),
    mostNames,
  )
