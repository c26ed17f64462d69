import { findingSeverities } from '../contract/choices.ts'
import type { ReceivedComparison, ReceivedFreshness, ReceivedRun } from '../contract/received/cluster-report.ts'
import { supportText } from '../lifecycle/support-text.ts'
import { scannedAt } from '../reports/run-subject.ts'
import type { UnixSeconds } from '../util/time.ts'
import { count, number, signed } from '../util/words.ts'
import { toChanges } from './comparison.ts'
import { freshnessFigures, hasOnlyKubernetes, kubernetesAlone } from './freshness.ts'
import { checksNotRun } from './not-run.ts'
import { joined, named, type Said, safe, say, toned } from './said.ts'
import { gapsText, hasGaps, markedScore, scoreTone, whyNoChange } from './score.ts'
import { supportTone, unknownSupportSaid } from './support.ts'
import { titled, titles } from './titles.ts'
import type { Figure, MissingPart, Part } from './view.ts'

const whySaid = ({ missing, isForeign }: MissingPart) => [isForeign ? named('text', missing) : safe(missing)]

/** Placeholder for an unknown number, which is never green. */
export const unknownFigure = (key: string, title: string, why: Said): Figure => ({
  key,
  title,
  value: [safe('n/a')],
  data: null,
  tone: 'warn',
  more: why,
})

interface RunParts {
  run: ReceivedRun
  comparison: Part<ReceivedComparison>
  freshness: Part<ReceivedFreshness>
  /** Unix seconds. */
  madeAt: UnixSeconds
}

/** Figures of a run, the most important first. */
export const runFigures = (parts: RunParts): Figure[] =>
  [scoreFigure, changeFigure, findingFigure, notRunFigure, outdatedFigure, kubernetesFigure].map((make) => make(parts))

function scoreFigure({ run, comparison }: RunParts) {
  if (run.score === null) return unknownFigure('score', 'Score', say`The report has no score.`)
  const how = run.score_source === 'computed' && ' Computed by relt; the scanner has none.'
  const gaps = hasGaps(run) && say` ${safe(`With gaps: ${gapsText(run)}.`, 'warn')}`
  return {
    key: 'score',
    title: titles.score_out_of_100,
    data: run.score,
    value: [safe(markedScore(run.score, run)!)],
    more: say`${scoreChanged(comparison)}${how && safe(how)}${gaps}`,
  }
}

function scoreChanged(comparison: Part<ReceivedComparison>) {
  const { found } = comparison
  if (!found) return whySaid(comparison)
  const { score_delta: delta } = found
  if (delta === null) return say`No change is known: ${safe(whyNoChange(found)!)}.`
  const since = found.from && scannedAt(found.from)
  return say`${safe(signed(delta), scoreTone(delta))} since ${since ? { ...safe(since), as: 'day' } : safe('unknown')}`
}

function changeFigure({ comparison }: RunParts) {
  const { found } = comparison
  if (!found) return unknownFigure('changes', changesTitle, whySaid(comparison))
  return changesFigure({
    new_findings: toChanges(found, 'new').total,
    regressed_findings: toChanges(found, 'regressed').total,
    resolved_findings: toChanges(found, 'resolved').total,
    accepted_findings: toChanges(found, 'accepted').total,
    incomparable: found.incomparable_findings_count ?? 0,
  })
}

const changesTitle = 'New or regressed'

interface Changes {
  new_findings: number
  regressed_findings: number
  resolved_findings: number
  /** Number of new and regressed findings that are accepted, which the other numbers exclude. */
  accepted_findings?: number | undefined
  incomparable?: number
}

/** Changes since the previous run. */
export function changesFigure(changes: Changes | undefined, why = ''): Figure {
  if (!changes) return unknownFigure('changes', changesTitle, [safe(why)])
  const { new_findings: added, regressed_findings: regressed, resolved_findings: resolved, incomparable = 0 } = changes
  const { accepted_findings: muted = 0 } = changes
  const accepted = muted > 0 && say`, ${muted} accepted`
  const worse = added + regressed
  const hidden = incomparable > 0 && say`, ${safe(`${number(incomparable)} not comparable`, 'warn')}`
  return {
    key: 'changes',
    title: changesTitle,
    value: say`${worse}`,
    data: worse,
    ...(worse > 0 && { tone: 'bad' }),
    more: say`${added} new, ${regressed} regressed, ${resolved} resolved${accepted}${hidden}`,
  }
}

function findingFigure({ run }: RunParts) {
  const { findings, suppressed_findings: suppressed, accepted_findings: accepted } = run
  if (!findings) return unknownFigure('findings', 'Findings', say`The server does not count them.`)
  const words = findingSeverities
    .filter((kind) => findings[kind] > 0)
    .map((kind) => `${number(findings[kind])} ${kind}`)
  const apart = [
    ...(suppressed ? [`${number(suppressed)} suppressed`] : []),
    ...(accepted ? [`${number(accepted)} accepted`] : []),
  ]
  return {
    ...titled('findings'),
    value: say`${findings.total}`,
    data: findings.total,
    more: [safe([...words, ...apart].join(', '))],
  }
}

const notRunTitle = 'Checks that did not run'

function notRunFigure({ run }: RunParts): Figure {
  const { named: checks, unnamed } = checksNotRun(run)
  const many = checks.length + unnamed
  if (run.is_empty) {
    return {
      ...unknownFigure('not_run', notRunTitle, say`Nothing was looked at.`),
      value: [safe('all')],
      tone: 'bad',
    }
  }
  if (run.not_run_checks == null && many === 0) {
    return unknownFigure('not_run', notRunTitle, say`The server does not say.`)
  }
  return gapsFigure({ not_run_checks: many, total_checks: run.total_checks })
}

interface Ran {
  not_run_checks: number
  total_checks: number | null
  scope_gaps?: number | undefined
}

/** What a scan did not cover. */
export function gapsFigure(run: Ran | null): Figure {
  if (!run) return unknownFigure('not_run', notRunTitle, say`There is no run.`)
  const { not_run_checks: many, total_checks: all, scope_gaps: missing } = run
  return {
    key: 'not_run',
    title: notRunTitle,
    value: say`${many}`,
    data: many,
    ...(many + (missing ?? 0) > 0 && { tone: 'warn' }),
    more: say`${all !== null && safe(`of ${count(all, 'check')}`)}${!!missing && safe(`; ${number(missing)} of the accepted scope missing`)}`,
  }
}

function outdatedFigure({ freshness }: RunParts) {
  const [key, title] = ['outdated', 'Outdated']
  const { found } = freshness
  if (!found) return unknownFigure(key, title, whySaid(freshness))
  const { items } = found
  const { outdated, affected, newest, unknown } = freshnessFigures(found)
  if (items.length === 0) return unknownFigure(key, title, say`The report does not say what runs.`)
  if (hasOnlyKubernetes(items)) return unknownFigure(key, title, [safe(kubernetesAlone)])
  if (unknown.data === items.length) return unknownFigure(key, title, say`The catalog knows nothing of what runs.`)
  const parts = [affected, newest, unknown].flatMap((each) =>
    each?.data ? [toned(each.tone, say`${each.value} ${safe(each.title.toLowerCase())}`)] : [],
  )
  return { ...outdated, title, more: joined([say`of ${safe(count(items.length, 'artifact'))}`, ...parts], ', ') }
}

function kubernetesFigure({ run, freshness, madeAt }: RunParts): Figure {
  const { found } = freshness
  const figure = { ...titled('kubernetes'), value: [named('version', run.kubernetes_version ?? 'n/a')] }
  const item = found?.items.find(({ artifact_type }) => artifact_type === 'kubernetes')
  const eol = item?.eol
  if (!eol) {
    const more = say`Its end of support is not known.${!found && say` ${whySaid(freshness)}`}`
    return { ...figure, tone: 'warn', more: item?.eol_unknown ? unknownSupportSaid(item.eol_unknown) : more }
  }
  return { ...figure, tone: supportTone(eol, madeAt), more: [safe(`${supportText(eol.cycle, eol)}.`)] }
}
