import type { GateRule } from '../contract/gate-rule.ts'
import type { ReceivedComparison, ReceivedRun } from '../contract/received/cluster-report.ts'
import { listed, count as plural } from '../util/words.ts'
import type { Acceptance, ScopeEntry } from './accept-not-run.ts'
import type { NewScope } from './policy.ts'
import type { Gaps } from './rule-verdict.ts'

/** Entries of a policy that accept gaps of a run. */
export interface Acceptances {
  notRun: Acceptance
  scope: Acceptance<ScopeEntry>
  newScope: NewScope
}

export const patternOfEntry = ({ check, namespace, kind }: ScopeEntry): string =>
  check !== undefined ? `check ${check}` : namespace !== undefined ? `namespace ${namespace}` : `kind ${kind}`

/** Rules that a finding of any check can break. */
export const rulesOnChecks: readonly string[] = [
  'score',
  'score-drop',
  'new',
  'regressed',
  'more',
  'findings',
  'no-new-risk-path',
  'aks-blockers',
]

/** Rules that an artifact in any namespace can break. */
const rulesOnArtifacts: readonly string[] = [
  'major-behind',
  'security-behind',
  'affected',
  'fixable',
  'exploited',
  'eol',
  'upgrade-blockers',
]

type Part = 'check' | 'namespace' | 'kind'

/** Describes how many parts of a kind are missing. */
const describe: Record<Part, (count: number) => string> = {
  check: (count) => `${plural(count, 'check')} of the accepted scope ${are(count)} not in the report`,
  namespace: (count) => `${plural(count, 'namespace')} of the accepted scope ${were(count)} not scanned`,
  kind: (count) => `${plural(count, 'kind')} of reports of the accepted scope ${are(count)} gone`,
}

const are = (count: number): string => (count === 1 ? 'is' : 'are')
const were = (count: number): string => (count === 1 ? 'was' : 'were')

/** Parts of the accepted scope that the run lacks and that the rule depends on. */
export function scopeGaps(
  { kind }: GateRule,
  { run, comparison }: { run: ReceivedRun; comparison?: ReceivedComparison | undefined },
  { notRun, scope }: Acceptances,
): Gaps {
  const isOnChecks = rulesOnChecks.includes(kind)
  if (!isOnChecks && !rulesOnArtifacts.includes(kind)) return { open: [], accepted: [] }
  const missing = missingOf(run, comparison)
  const gaps: Gaps = { open: [], accepted: [], lacks: 'accepted_scope' }
  for (const part of ['check', 'namespace', 'kind'] as const) {
    if (part === 'check' && !isOnChecks) continue
    const accepting = missing[part].map((name) => ({
      name,
      by: scope.find(`${part} ${name}`) ?? (part === 'check' && notRun.accepts(name) ? 'accept_not_run' : undefined),
    }))
    const open = accepting.filter(({ by }) => by === undefined).map(({ name }) => name)
    if (open.length > 0) gaps.open.push(`${describe[part](open.length)}: ${listed(open)}`)
    const texts = accepting.flatMap(({ name, by }) =>
      typeof by === 'object' ? `${name} (${by.source}: ${by.reason})` : [],
    )
    if (texts.length > 0) gaps.accepted.push(`Accepted as out of scope: ${listed(texts)}`)
  }
  return gaps
}

/** Checks and namespaces that only the later of two scores covers, which makes them incomparable. */
export function addedScope({ scope_changes }: ReceivedComparison, newScope: NewScope): string[] {
  const checks = scope_changes?.checks_added ?? []
  const namespaces = scope_changes?.namespaces_included ?? []
  if (newScope === 'pass' || checks.length + namespaces.length === 0) return []
  const parts = [
    ...(checks.length > 0 ? [plural(checks.length, 'check')] : []),
    ...(namespaces.length > 0 ? [plural(namespaces.length, 'namespace')] : []),
  ]
  const names = listed([...checks, ...namespaces])
  return [`The earlier score leaves out ${parts.join(' and ')} (${names}); set new_scope`]
}

/** For a server without accepted scopes: compares with the previous run. */
function missingOf(
  { accepted_scope }: ReceivedRun,
  comparison: ReceivedComparison | undefined,
): Record<Part, string[]> {
  if (accepted_scope === undefined) {
    const changes = comparison?.scope_changes
    return { check: changes?.checks_removed ?? [], namespace: changes?.namespaces_excluded ?? [], kind: [] }
  }
  return {
    check: accepted_scope?.missing_checks ?? [],
    namespace: accepted_scope?.missing_namespaces ?? [],
    kind: accepted_scope?.missing_kinds ?? [],
  }
}
