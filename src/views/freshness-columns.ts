import { offeringNames } from '../contract/choices.ts'
import type { ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import { factsDay, stepWord } from '../lifecycle/step-text.ts'
import type { UnixSeconds } from '../util/time.ts'
import { count, number } from '../util/words.ts'
import { advisoryTone, advisoryWord } from './advisory-word.ts'
import { isNewestKnown, isOpen, statusTone, statusWord } from './artifact.ts'
import { stepCell } from './step-cell.ts'
import { endsSoon } from './support.ts'
import { titles } from './titles.ts'
import { columnsOf } from './view.ts'

type Item = ReceivedFreshnessItem

interface Known {
  now: UnixSeconds
  /** The catalog has security facts about a running project. */
  hasSecurityFacts?: boolean
}

/** Kubernetes needs no type. */
const types = { image: 'image', helm_chart: 'chart', app: 'app', kubernetes: '' } as const

/** The name with its type, if there is no type column, and without the version, which has its own. */
export function typedName(item: Item) {
  const type = item.artifact_type && item.artifact_type !== 'image' ? types[item.artifact_type] : ''
  return `${type} ${item.short_name ?? item.display_name ?? 'unknown'}`.trim()
}

const columns = columnsOf<Item>()({
  status: { text: statusWord, data: ({ status }) => status, tone: statusTone, reveals: 'safe' },
  type: {
    reveals: 'safe',
    data: ({ artifact_type }) => artifact_type,
    text: ({ artifact_type: type }) => type && types[type],
  },
  artifact: {
    reveals: 'artifact',
    min: 18,
    cut: 'path',
    text: typedName,
    data: ({ artifact_key }) => artifact_key,
    link: ({ artifact_key }) => (artifact_key === null ? undefined : { page: 'artifact', artifact_key }),
  },
  runs: { reveals: 'version', min: 9, cut: true, text: ({ current_version }) => current_version },
  step: {
    text: stepCell,
    data: stepWord,
    reveals: 'safe',
    min: 9,
    brief: (item) => (item.steps ? stepWord(item) : (item.same_line_version ?? '')),
  },
  newest: {
    reveals: 'safe',
    min: 9,
    from: 100,
    text: ({ latest_version }) => latest_version ?? 'unknown',
    brief: ({ latest_version }) => latest_version ?? '',
  },
  advisories: {
    reveals: 'safe',
    min: 12,
    cut: true,
    text: advisoryText,
    brief: advisoryWord,
    tone: advisoryTone,
    data: ({ advisories_count }) => advisories_count,
  },
  facts: { title: titles.facts_of, reveals: 'safe', from: 100, text: factsDay },
  /** Why the status is unknown, or not known to be current. Components of a managed offering need no reason. */
  reason: {
    reveals: 'text',
    min: 20,
    from: 140,
    text: (item) => (isOpen(item) || isNewestKnown(item) ? (item.reason ?? '') : ''),
  },
})

/** Columns of artifacts. */
export const freshnessColumns = ({ now, hasSecurityFacts = false }: Known) => ({
  ...columns,
  ...columnsOf<Item>()({
    fixes: { title: 'Security fixes between', reveals: 'safe', text: (item) => fixesText(item, hasSecurityFacts) },
    behind: {
      reveals: 'safe',
      min: 12,
      cut: true,
      from: 80,
      text: (item) => behindText(item, now),
      brief: (item) => behindText(item, now, 'brief'),
    },
  }),
})

/** Like `advisoryWord`, in words instead of symbols. */
function advisoryText(item: Item) {
  const { artifact_type, advisories_count, advisories_undecided } = item
  if (artifact_type === 'helm_chart') return 'not counted for charts'
  if (advisories_count === null) return 'unknown'
  if (advisories_count === 0 && advisories_undecided) return `${number(advisories_undecided)} not comparable`
  return advisoryWord(item)
}

function fixesText({ security_fixes_between: fixes, ...item }: Item, hasFacts: boolean) {
  const { highest_severity_between: worst, security_facts } = item
  if (fixes === null) return 'unknown'
  if (fixes === 0) return (security_facts ?? hasFacts) ? 'none known' : 'unknown'
  return `${number(fixes)}${worst && worst !== 'none' ? `, at worst ${worst}` : ''}`
}

const behindWords = {
  text: {
    ended: 'out of support',
    ends: 'support ends',
    least: 'at least ',
    releases: (many: number) => count(many, 'release'),
    days: (many: number) => count(many, 'day'),
  },
  brief: {
    ended: 'end of life',
    ends: 'ends',
    least: '≥ ',
    releases: (many: number) => `${many} rel`,
    days: (many: number) => `${many} d`,
  },
}

export function behindText(item: Item, now: UnixSeconds, form: keyof typeof behindWords = 'text') {
  const { status, releases_behind, releases_behind_at_least, days_behind, eol } = item
  const { ended, ends, least, releases, days } = behindWords[form]
  const isKnown = status !== 'unknown'
  const parts = [
    ...(eol?.is_eol ? [ended] : eol && endsSoon(eol, now) ? [`${ends} ${eol.date}`] : []),
    ...(isKnown && releases_behind ? [`${releases_behind_at_least ? least : ''}${releases(releases_behind)}`] : []),
    ...(isKnown && days_behind ? [days(days_behind)] : []),
    ...(isKnown ? [] : [runBy(item)]),
  ]
  return byOffering(item, parts)
}

function byOffering({ status, managed_by }: Item, parts: string[]) {
  const behind = parts.filter(Boolean).join(', ')
  return status.endsWith('_behind') && managed_by ? `${offeringName(managed_by)}: ${behind}` : behind
}

const runBy = ({ managed_by, vendor_component }: Item) =>
  managed_by ? `${vendor_component ? 'part of' : 'run by'} ${offeringName(managed_by)}` : ''

const offeringName = (offering: string) => offeringNames[offering] ?? offering
