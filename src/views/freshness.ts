import { offeringNames } from '../contract/choices.ts'
import { staleText } from '../contract/facts-age.ts'
import type { ReceivedFreshness, ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import type { ArtifactState } from '../contract/step.ts'
import { supportText } from '../lifecycle/support-text.ts'
import type { UnixSeconds } from '../util/time.ts'
import { count, withoutStop } from '../util/words.ts'
import { advisoryEdge } from './advisory-edge.ts'
import { byUrgency, isNewestKnown, isOpen, needsAttention, shownState, statusViews } from './artifact.ts'
import { type FreshnessCounts, toCounts } from './freshness-counts.ts'
import { named, type Said, safe, say } from './said.ts'
import { stateTitles, stateWords } from './state.ts'
import { supportTone, unknownSupportSaid } from './support.ts'
import { type Figure, type Note, noteIn, type ViewVerdict } from './view.ts'

type Item = ReceivedFreshnessItem
type Answer = Pick<ReceivedFreshness, 'summary' | 'items'>

const toFigure = (key: string, title: string, many: number, tone?: Figure['tone']): Figure => ({
  key,
  title,
  value: say`${many}`,
  data: many,
  ...(many > 0 && { tone }),
})

/** States that are shown as a number. */
const countedStates = ['compromised', 'withdrawn', 'retired'] as const satisfies ArtifactState[]

/** Figures of a freshness answer. */
export function freshnessFigures(answer: Answer) {
  const counts = toCounts(answer)
  const { major_behind: major, minor_behind: minor, managed, newest_known: newest = 0 } = counts
  const isGood = counts.current_in_state === 0
  return {
    states: countedStates.flatMap((state) =>
      counts[state] === 0 ? [] : [toFigure(state, stateWords[state], counts[state], 'bad')],
    ),
    outdated: {
      ...toFigure('outdated', 'Outdated', major + minor, major > 0 ? 'bad' : 'warn'),
      more: say`${major} major`,
    },
    major: toFigure('major', 'Major version behind', major, 'bad'),
    minor: toFigure('minor', 'Minor version behind', minor, 'warn'),
    current: toFigure('current', 'Up to date', counts.up_to_date - newest, isGood ? 'good' : undefined),
    newest: newest ? toFigure('newest_known', 'Newest known', newest, 'soft') : undefined,
    unknown: {
      ...toFigure('unknown', 'Unknown', counts.unknown, 'warn'),
      more: counts.unknown > 0 ? say`They may be outdated.` : [],
    },
    managed: managed ? toFigure('managed', 'Managed', managed, 'soft') : undefined,
    affected: affectedFigure(counts),
  }
}

/** Undefined if the server does not list advisories. Green only if every artifact is known to be unaffected. */
function affectedFigure({ affected, compared, undecided }: FreshnessCounts): Figure | undefined {
  if (compared === 0) return undefined
  if (affected > 0) return toFigure('affected', 'Vulnerable', affected, 'bad')
  const figure = toFigure('affected', undecided === 0 ? 'Vulnerable' : 'Known to be vulnerable', 0)
  return { ...figure, tone: undecided === 0 ? 'good' : 'soft' }
}

/** Figures in the order of a summary line. */
export function summaryFigures(answer: Answer): Figure[] {
  const { states, outdated, current, newest, unknown, managed, affected } = freshnessFigures(answer)
  return [...states, outdated, current, newest, unknown, managed, affected].filter((figure) => figure !== undefined)
}

/** The report has no inventory, so nothing else is measured. */
export const hasOnlyKubernetes = (items: Pick<Item, 'artifact_type'>[]) =>
  items.length > 0 && items.every(({ artifact_type }) => artifact_type === 'kubernetes')

export const kubernetesAlone = 'Only Kubernetes is known: the report lists nothing else that runs.'
export const nothingRuns = 'The report does not say what runs. Add an inventory to the next upload.'

/** Artifacts that need an upgrade, most urgent first; then unknown and up-to-date ones. */
export function sortFreshness(items: Item[]) {
  const open = items.filter(needsAttention).sort(byUrgency)
  const unknown = items.filter((item) => (isOpen(item) || isNewestKnown(item)) && !needsAttention(item))
  const newest = unknown.filter(isNewestKnown).length
  const current = items.filter((item) => item.status === 'up_to_date' && !isNewestKnown(item) && !needsAttention(item))
  const needs = safe(open.length === 1 ? 'needs' : 'need')
  const said = [
    say`${open.length} of ${safe(count(items.length, 'artifact'))} ${needs} an upgrade; ${unknown.length - newest} unknown; ${newest > 0 && say`${newest} newest known; `}${current.length} current.`,
    ...notCounted(items),
    ...(hasOnlyKubernetes(items) ? [[safe(kubernetesAlone)]] : []),
  ]
  return { open, unknown, current, said }
}

/** `3 components of AKS not counted.` */
function notCounted(items: Item[]) {
  const parts = items.filter(({ vendor_component }) => vendor_component)
  return [...Map.groupBy(parts, ({ managed_by }) => managed_by ?? 'the offering')].map(
    ([id, { length }]) =>
      say`${safe(count(length, 'component'))} of ${named('text', offeringNames[id] ?? id.slice(0, 50))} not counted.`,
  )
}

/** Green only if every artifact is known, up to date, and was compared with advisories. */
export function freshnessVerdict(answer: ReceivedFreshness, now: UnixSeconds): ViewVerdict {
  const { coverage } = answer
  const {
    affected,
    out_of_support: ended,
    in_bad_state: bad,
    compromised: planted,
    exploited,
    ...counts
  } = toCounts(answer)
  const { unknown: open, newest_known: newest = 0 } = counts
  const behind = counts.major_behind + counts.minor_behind
  const isAlone = counts.artifacts > 0 && counts.artifacts === counts.kubernetes
  const isWhole = coverage?.advisories_known !== undefined && coverage.advisories_known === coverage.artifacts
  const stale = staleText(coverage?.catalog_at ?? answer.catalog_date, now)
  const gaps = [...(isAlone ? [kubernetesAlone] : []), ...(stale === '' ? [] : [stale]), advisoryEdge(coverage)].map(
    (text) => [safe(withoutStop(text))],
  )
  const isOpenEnded = behind + newest + open > 0 || !isWhole || isAlone || stale !== ''
  const state = affected + ended + bad > 0 ? 'failed' : isOpenEnded || counts.artifacts === 0 ? 'undecided' : 'passed'
  if (counts.artifacts === 0) return { state, words: say`Nothing is known of what runs`, gaps }
  const first = planted > 0 && say`${planted} compromised, `
  const used = exploited > 0 && say` (${exploited} by exploited ones)`
  const words = say`${first}${affected} affected by advisories${used}, ${ended} out of support, ${behind} behind, ${newest > 0 && say`${newest} newest known, `}${open} unknown`
  return { state, words, gaps }
}

/** Verdict about one artifact. Green only if it is up to date, supported, and was compared with advisories. */
export function artifactVerdict(item: Item): ViewVerdict {
  const state = shownState(item)
  const isKnown = item.status === 'up_to_date' && !isNewestKnown(item) && item.advisories_count === 0
  return {
    state: needsAttention(item) ? 'failed' : isKnown ? 'passed' : 'undecided',
    words: [safe(state ? stateTitles[state] : statusViews[item.status].title)],
    gaps: [],
  }
}

/** Marks for lines of evidence: an advisory, one that cannot be compared, a project that was chosen or not. */
export const advisoryMark: Said = [safe('!', 'bad')]
export const undecidedMark: Said = [safe('?', 'warn')]
export const takenMark = (taken: boolean): Said => [taken ? safe('✓', 'good') : safe('✗', 'soft')]

/** What is unknown about one artifact. */
export const artifactNotes = ({ advisories_undecided: undecided }: Item): Note[] =>
  undecided
    ? [noteIn('warn', say`${safe(count(undecided, 'advisory', 'advisories'))} could not be compared with the version.`)]
    : []

/** `Kubernetes 1.34 has upstream support until 2026-10-27.`, if the cluster's version is known. */
export function kubernetesNotes(items: Item[], now: UnixSeconds): Note[] {
  return items.flatMap(({ artifact_type, eol, eol_unknown }) => {
    if (artifact_type !== 'kubernetes') return []
    if (!eol) return eol_unknown === undefined ? [] : [noteIn('warn', unknownSupportSaid(eol_unknown))]
    return [noteIn(supportTone(eol, now) ?? 'soft', say`${supportText(`Kubernetes ${eol.cycle}`, eol)}.`)]
  })
}

/** One note for each offering that runs artifacts of the cluster. */
export function managedNotes(items: Item[]): Note[] {
  const byOffering = Map.groupBy(items, ({ managed_by }) => managed_by ?? '')
  byOffering.delete('')
  return [...byOffering].map(([id, { length }]) => {
    const comes = length === 1 ? 'which comes' : 'which come'
    const what = safe(`${count(length, 'artifact')}, ${comes}`)
    return noteIn('soft', say`${offeringNames[id] ?? id} runs ${what} with the cluster's upgrade.`)
  })
}
