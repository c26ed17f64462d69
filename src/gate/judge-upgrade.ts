import type { UpgradePlan } from '../contract/upgrade.ts'
import { count as plural, withoutStop } from '../util/words.ts'
import { addExcepted, type ExceptionCounts, type Exceptions } from './exception.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'
import { maxEvidence, type Violation } from './violation.ts'

/**
 * Uses the plan's verdict: blockers fail the rule; undetermined parts, or parts without published ranges, make it undecided.
 */
export function judgeUpgrade(plan: UpgradePlan | undefined, exceptions: Exceptions): RuleVerdict {
  if (!plan) return undecided('The server does not plan upgrades')
  const way = `Kubernetes ${plan.from ?? 'of an unknown version'} to ${plan.to}`
  const exceptedBy: ExceptionCounts = { file: 0, server: 0 }
  const blockers = plan.reasons.filter(({ word }) => word === 'blocked').map((reason) => toViolation(reason, plan))
  const open = blockers.filter(({ id }) => {
    const excepted = exceptions.forArtifact({ artifact_key: id, namespace: null })
    if (excepted) addExcepted(exceptedBy, excepted)
    return !excepted
  })
  const excepted = blockers.length - open.length
  const about = { excepted, ...(excepted > 0 && { exceptedBy }) }
  if (open.length > 0) {
    const reason = `${plural(open.length, 'blocker')} on the way from ${way}; 0 allowed`
    return { ...decided(true, reason), ...about, violations: open.slice(0, maxEvidence), total: open.length }
  }
  const [first, ...others] = plan.reasons.filter(({ word }) => word !== 'blocked').map(({ says }) => withoutStop(says))
  if (first !== undefined) {
    const more = others.length > 0 ? `, and ${plural(others.length, 'more reason')}` : ''
    return {
      ...undecided(`Whether anything blocks ${way} is not known: ${first}${more}`),
      ...about,
      notes: others.slice(0, 3),
    }
  }
  return { ...decided(false, `Nothing blocks ${way}`), ...about }
}

/** An exception names the artifact as `project@version`. */
function toViolation({ project_slug, says }: UpgradePlan['reasons'][number], { parts }: UpgradePlan): Violation {
  const part = parts.find((one) => one.project_slug === project_slug)
  const name = part ? `${part.name} ${part.current_version ?? ''}`.trim() : 'Kubernetes'
  const id = part ? `${part.project_slug}@${part.current_version ?? ''}` : 'kubernetes'
  const none = { severity: null, namespace: null, resource: null, fingerprint: null }
  return { kind: 'artifact', id, name, message: says, ...none }
}
