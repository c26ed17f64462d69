import type { FindingSeverity } from '../contract/scan-finding.ts'
import type {
  UpgradeCheck,
  UpgradeHop,
  UpgradePart,
  UpgradePlan,
  UpgradeReason,
  UpgradeStep,
} from '../contract/upgrade.ts'
import { extendedText, supportKind } from '../lifecycle/support-text.ts'
import { count, withoutStop } from '../util/words.ts'
import { joined, named, plainText, type Said, safe, say, type Tone } from './said.ts'
import { slashedCluster } from './scan.ts'
import { titles } from './titles.ts'
import { apiText, verdictWords } from './upgrade-text.ts'
import { columnsOf, type Note, noteIn, type ViewColumn, type ViewVerdict } from './view.ts'

type Answer = Pick<UpgradeCheck, 'verdict' | 'reasons' | 'kubernetes' | 'from' | 'to' | 'parts' | 'steps'>

export const verdictTones: Record<UpgradeCheck['verdict'], Tone> = {
  ready: 'good',
  warnings: 'warn',
  blocked: 'bad',
  undetermined: 'warn',
}

/** `BLOCKED (2): Kubernetes 1.33 to 1.36` */
export function upgradeVerdict(plan: Answer): ViewVerdict {
  const { verdict, from, to } = plan
  const states = { ready: 'passed', warnings: 'undecided', blocked: 'failed', undetermined: 'undecided' } as const
  return {
    state: states[verdict],
    words: say`${countedVerdict(verdict, toCount(plan))}: Kubernetes ${safe(from ?? 'of an unknown version')} to ${safe(to)}`,
    gaps: verdict === 'ready' ? [] : shortReasons(plan),
  }
}

/** Displays of a single reason, most urgent first. */
export const reasonViews = {
  blocked: { title: verdictWords.blocked, severity: 'high' },
  undetermined: { title: verdictWords.undetermined, severity: 'medium' },
  not_stated: { title: 'NOT STATED', severity: 'low' },
} as const satisfies Record<UpgradeReason['word'], { title: string; severity: FindingSeverity }>
const reasonWords = Object.keys(reasonViews)

/** Most urgent first. */
function sortedReasons(reasons: Answer['reasons']) {
  return reasons.toSorted((a, b) => reasonWords.indexOf(a.word) - reasonWords.indexOf(b.word))
}

const mostNotStated = 5

/** The reason without its period. */
const reasonSaid = ({ says }: Answer['reasons'][number]) => [named('artifact', withoutStop(says))]

/** All reasons, most urgent first. */
export const allReasons = ({ reasons }: Pick<Answer, 'reasons'>) => sortedReasons(reasons).map(reasonSaid)

/**
 * All deciding reasons; of many parts without published ranges only the first, with the names of the others, because the
 * table of parts has the rest.
 */
export function shortReasons({ reasons, parts }: Pick<Answer, 'reasons' | 'parts'>): Said[] {
  const [open, deciding] = [true, false].map((isOpen) =>
    sortedReasons(reasons).filter(({ word }) => (word === 'not_stated') === isOpen),
  ) as [Answer['reasons'], Answer['reasons']]
  const shown = [...deciding, ...open.slice(0, mostNotStated)].map(reasonSaid)
  const rest = open.slice(mostNotStated)
  if (rest.length === 0) return shown
  const toName = (slug: string) => parts.find((part) => part.project_slug === slug)?.name ?? slug
  const names = [...new Set(rest.flatMap(({ project_slug: slug }) => (slug === null ? [] : toName(slug))))]
  const others = rest.filter(({ project_slug }) => project_slug === null).length
  const all = [
    ...names,
    ...(others > 0 ? [`${count(others, `${names.length > 0 ? '' : 'more '}fact`)} about the cluster`] : []),
  ]
  return [...shown, say`Not stated either: ${named('artifact', all.join(', '))}`]
}

/** Reasons that are missing from the table of parts, and undetermined ones. */
export const otherReasons = ({ reasons, parts }: Answer) => {
  const slugs = new Set<string | null>(parts.map(({ project_slug }) => project_slug))
  return allReasons({
    reasons: reasons.filter(({ word, project_slug }) => word === 'undetermined' || !slugs.has(project_slug)),
  })
}

/** `BLOCKED (2)`, `READY WITH WARNINGS (3 not stated)`; `total`: number of reasons for the verdict. */
export function countedVerdict(verdict: Answer['verdict'], total: number): Said {
  const counted = { blocked: ` (${total})`, warnings: ` (${total} not stated)`, undetermined: '', ready: '' }[verdict]
  return [safe(verdictWords[verdict] + counted, verdictTones[verdict])]
}

const toCount = ({ verdict, reasons }: Answer) =>
  reasons.filter(({ word }) => word === (verdict === 'warnings' ? 'not_stated' : verdict)).length

/** One of the plan's key figures. */
export interface UpgradeFigure {
  verdict: UpgradeCheck['verdict']
  from: string | null
  to: string
  steps: number
  blocked: number
  undetermined: number
  not_stated: number
}

export function upgradeFigure({ verdict, from, to, steps, reasons }: Answer): UpgradeFigure {
  const of = (word: string) => reasons.filter((reason) => reason.word === word).length
  const counts = { blocked: of('blocked'), undetermined: of('undetermined'), not_stated: of('not_stated') }
  return { verdict, from, to, steps: steps.filter(({ kind }) => kind === 'part').length, ...counts }
}

/** `to Kubernetes 1.34: BLOCKED (2), 3 parts to move` */
export function figureSaid(figure: UpgradeFigure): Said {
  const { verdict, to, steps } = figure
  const number = { ready: 0, warnings: figure.not_stated, ...figure }[verdict]
  const word = `${verdictWords[verdict]}${number > 0 ? ` (${number})` : ''}`
  const moves = steps === 0 ? 'no part' : count(steps, 'part')
  return say`to Kubernetes ${safe(to)}: ${safe(word, verdictTones[verdict])}, ${safe(moves)} to move`
}

/** What a plan is based on. */
export function basisNote({ basis }: UpgradePlan): Said {
  const { artifacts, parts, parts_with_facts, managed, others } = basis
  return joined(
    [
      say`${slashedCluster(basis)}: ${safe(count(artifacts, 'artifact'))}`,
      say`${safe(count(parts, 'part'))} close to Kubernetes, ${parts_with_facts} with a published range`,
      ...(managed > 0 ? [say`${managed} managed by the offering`] : []),
      ...(others > 0 ? [say`${others} that nothing ties to a version of Kubernetes`] : []),
    ],
    '; ',
  )
}

/** Most urgent first. */
const needsViews: Record<UpgradePart['needs'], { word: string; tone: Tone }> = {
  blocked: { word: 'blocked', tone: 'bad' },
  upgrade_before: { word: 'upgrade', tone: 'warn' },
  unknown: { word: 'not stated', tone: 'warn' },
  ok: { word: 'ok', tone: 'good' },
}
const order = Object.keys(needsViews)

const stateKinds: ReadonlySet<string> = new Set(['retired', 'withdrawn', 'compromised'])

/** Facts about the state of a project or release, independent of its range. */
const isOfState = ({ kind }: UpgradePart['evidence'][number]) => stateKinds.has(kind)

/** `ok, retired` */
function needsText({ needs, evidence }: UpgradePart) {
  const state = evidence.find(isOfState)
  const { word } = needsViews[needs]
  return state ? `${word}, ${state.kind}` : word
}

/** A range is not green if the project is unmaintained. */
function needsTone({ needs, evidence }: UpgradePart) {
  const state = evidence.find(isOfState)
  if (state?.kind === 'compromised') return 'bad'
  return state && needs === 'ok' ? 'warn' : needsViews[needs].tone
}

/** Most urgent first. */
export function sortedParts(parts: readonly UpgradePart[]): UpgradePart[] {
  return parts.toSorted((a, b) => order.indexOf(a.needs) - order.indexOf(b.needs))
}

interface Owned {
  owners?: string[] | undefined
}

const owner = { text: ({ owners = [] }: Owned) => owners.join(', ') || null, reveals: 'person' } as const

export const partColumns: ViewColumn<UpgradePart>[] = Object.values(
  columnsOf<UpgradePart>()({
    project: { text: ({ name }) => name, tone: () => 'strong', reveals: 'artifact', min: 10 },
    runs: { text: ({ current_version }) => current_version, reveals: 'version' },
    needs: { title: 'Needs', text: needsText, data: ({ needs }) => needs, tone: needsTone, reveals: 'safe' },
    to: {
      text: ({ to_version, via, later_versions: later = [] }) =>
        to_version === null ? null : [...via, to_version, ...later].join(', then '),
      reveals: 'version',
    },
    why: {
      title: titles.reason,
      reveals: 'artifact',
      min: 24,
      text: ({ evidence }) => evidence.map(({ says }) => says).join(' '),
    },
    owner,
  }),
)

/** Omits the column of owners if no row can have one. */
export const ownedColumns = <Row extends Owned>(columns: ViewColumn<Row>[], rows: readonly Row[]) =>
  rows.some(({ owners }) => owners !== undefined) ? columns : columns.filter(({ key }) => key !== 'owner')

/** `Owner: payments`, or a text for none; empty if no owners are set, and for entries about the whole cluster. */
export function ownerLines({ owners }: Owned): Said[] {
  if (!owners) return []
  const names = owners.map((owner) => [named('person', owner)])
  return [
    say`${safe(owners.length > 1 ? 'Owners' : 'Owner')}: ${names.length > 0 ? joined(names, ', ') : safe('nobody')}`,
  ]
}

/** Whether a step or part belongs to an owner; `-` selects those without one, such as Kubernetes itself. */
export const isOwnersPart = ({ owners = [] }: Owned, owner: string) =>
  owner === '-' ? owners.length === 0 : owners.includes(owner)

/** `3 of 12 steps are of payments` */
export function ownedNote(own: number, all: number, owner: string): Said {
  const whose = owner === '-' ? safe('nobody') : named('person', owner)
  return say`${safe(`${own} of ${count(all, 'step')}`)} ${safe(own === 1 ? 'belongs' : 'belong')} to ${whose}`
}

/** `1.34: before Kubernetes` */
function whenText({ hop, when }: UpgradeStep) {
  if (hop === null) return ''
  if (when === 'before') return `before ${hop}`
  return when === 'after' ? `after ${hop}` : hop
}

export const stepColumns = Object.values(
  columnsOf<UpgradeStep>()({
    number: { title: '#', text: ({ number }) => String(number), reveals: 'safe', align: 'right' },
    when: { title: 'When', text: whenText, reveals: 'safe' },
    what: {
      text: ({ name }) => name,
      reveals: 'artifact',
      min: 10,
      tone: ({ kind }) => (kind === 'kubernetes' ? 'strong' : undefined),
    },
    step: {
      title: 'From → to',
      reveals: 'version',
      min: 12,
      text: ({ from, via, to }) => [from, ...via, to].join(' → '),
    },
    breaks: {
      title: 'Breaks',
      reveals: 'safe',
      tone: breaksTone,
      text: (step) => (step.kind === 'part' ? breaksText(step) : null),
      data: ({ breaks }) => breaks?.length ?? null,
    },
    why: { title: titles.reason, reveals: 'artifact', min: 24, text: (step) => whyLines(step).join(' ') },
    owner,
  }),
)

/** `3 nodes run 1.30, 20 run 1.33.` */
export function kubeletLines({ kubelets = [] }: Pick<UpgradeStep, 'kubelets'>) {
  if (kubelets.length === 0) return []
  const counts = kubelets.map(
    ({ version, nodes }, index) =>
      `${index === 0 ? count(nodes, 'node') : nodes} ${nodes === 1 ? 'runs' : 'run'} ${version}`,
  )
  return [`${counts.join(', ')}.`]
}

/** Without collected changes between two versions, there may still be some. */
function breaksText({ breaks, removed_apis }: Pick<UpgradeStep, 'breaks' | 'removed_apis'>) {
  const changes =
    breaks === null ? 'not collected' : breaks.length === 0 ? 'none collected' : count(breaks.length, 'change')
  return removed_apis.length > 0 ? `${changes}, ${count(removed_apis.length, 'API version')}` : changes
}

/** Where a step may break something, with a tone. */
export function breaksSaid(step: Pick<UpgradeStep, 'breaks' | 'removed_apis'>): Said {
  return [safe(breaksText(step), breaksTone(step))]
}

function breaksTone({ breaks }: Pick<UpgradeStep, 'breaks'>): Tone | undefined {
  if (breaks === null) return 'soft'
  return breaks.length > 0 ? 'warn' : undefined
}

/** Words before the Kubernetes version of a hop. */
export const whenWords: Record<UpgradeStep['when'], string> = {
  before: 'before Kubernetes',
  kubernetes: 'Kubernetes and nodes',
  nodes: 'Kubernetes and nodes',
  after: 'after Kubernetes',
}

/** `Kubernetes 1.33 → 1.34, with EKS standard support until 2026-12-02` */
export function hopTitle({ from, to, support_after: support }: UpgradeHop): Said {
  const kind = support ? [supportKind(support), 'support'].filter(Boolean).join(' ') : ''
  const ends = support?.date
    ? `, ${support.is_eol ? `whose ${kind} ended on` : `with ${kind} until`} ${support.date}${extendedText(support.extended_until)}`
    : ''
  return say`${safe(`Kubernetes ${from} → ${to}`, 'strong')}${safe(ends)}`
}

/** Reasons below a heading that already names the Kubernetes version. */
export const whyLines = ({ why, kubelets }: Pick<UpgradeStep, 'why' | 'kubelets'>) => [
  ...kubeletLines({ kubelets }),
  ...why,
]

/** Each reason with the fact that it states, then facts without a reason. */
export function whyFacts({ why, kubelets, evidence }: Pick<UpgradeStep, 'why' | 'kubelets' | 'evidence'>) {
  const facts = why.map((_, index) => evidence.find(({ why_line }) => why_line === index))
  return {
    why: [
      ...kubeletLines({ kubelets }).map((line) => ({ line, fact: undefined })),
      ...why.map((line, index) => ({ line, fact: facts[index] })),
    ],
    others: evidence.filter((fact) => !facts.includes(fact)),
  }
}

type TitledStep = Pick<UpgradeStep, 'number' | 'name' | 'from' | 'via' | 'to'>

/** `3. KEDA 2.18.3 → 2.20.2` */
export const stepTitle = ({ number, name, from, via, to }: TitledStep): Said =>
  say`${safe(String(number))}. ${named('artifact', name)} ${named('version', [from, ...via, to].join(' → '))}`

/** The verdict and its reasons, for media without a separate place for reasons. */
export function planHeadline(plan: Answer) {
  const { words, gaps } = upgradeVerdict(plan)
  return [plainText(words), ...gaps.map((said) => `${plainText(said)}.`)]
}

/** Missing facts, and how to add each. */
export const planNotes = ({ missing }: UpgradeCheck): Note[] =>
  missing.map(({ what, how }) => noteIn('soft', say`${named('artifact', what)}. ${safe(how)}`))

/** Remarks about a step. */
export function stepNotes(step: UpgradeStep): Note[] {
  const { manual, breaks, removed_apis, support, way_back, irreversible, kind } = step
  const foreign = (text: string) => named('artifact', text)
  const uncollected = safe(breaks === null ? 'this project' : 'these versions')
  return [
    ...manual.map((says) => noteIn('warn', [foreign(says)])),
    ...(breaks ?? []).map(({ version, what, action, who }) =>
      noteIn('warn', say`${named('version', version)}: ${foreign(what)} ${foreign(action)} (${foreign(who)})`),
    ),
    ...(kind === 'part' && (breaks === null || breaks.length === 0)
      ? [noteIn('soft', say`What breaks in between is not collected for ${uncollected}.`)]
      : []),
    ...removed_apis.map((api) => {
      const instead = api.replacement ? ` (use ${api.replacement})` : ''
      return noteIn('warn', say`It no longer serves ${safe(apiText(api))}${instead}.`)
    }),
    // Not for Kubernetes, whose support is in the title of the hop.
    ...(kind === 'part' ? supportNotes(support) : []),
    ...(kind === 'nodes'
      ? []
      : [noteIn('soft', say`${safe(irreversible ? 'No way back' : 'Way back')}: ${foreign(way_back)}`)]),
  ]
}

function supportNotes(support: UpgradeStep['support']) {
  if (!support) return []
  const { date, is_eol } = support
  if (is_eol) return [noteIn('warn', say`Its support ${safe(date ? `ended on ${date}` : 'has ended')}.`)]
  return date ? [noteIn('soft', say`Supported until ${safe(date)}.`)] : []
}
