import type { UpgradePlan } from '../contract/upgrade.ts'
import { withoutStop } from '../util/words.ts'
import type { Court } from './court.ts'
import { divideExcepted } from './exception.ts'
import type { RuleOf } from './rule.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'
import { nowhere, type Violation } from './violation.ts'

/**
 * Uses the plan's verdict: blockers fail the rule; undetermined parts, or parts without published ranges, make it undecided.
 */
export function judgeUpgrade({ text }: RuleOf<'upgrade-blockers'>, { plans, exceptions }: Court): RuleVerdict {
  const plan = plans?.get(text)
  if (!plan) return undecided({ code: 'no_plans' })
  const { from, to } = plan
  const blockers = plan.reasons.filter(({ word }) => word === 'blocked').map((reason) => toViolation(reason, plan))
  const { counting: open, exceptedBy } = divideExcepted(blockers, ({ id }) =>
    exceptions.forArtifact({ artifact_key: id, namespace: null }),
  )
  if (open.length > 0) {
    return { ...decided(true, { code: 'upgrade_blocked', blockers: open.length, from, to }, open), exceptedBy }
  }
  const [first, ...others] = plan.reasons.filter(({ word }) => word !== 'blocked').map(({ says }) => withoutStop(says))
  if (first !== undefined) {
    const otherwise = decided(false, { code: 'upgrade_unblocked', from, to })
    return {
      ...undecided({ code: 'upgrade_unknown', first, more: others.length, from, to }, 'upgrade', otherwise),
      exceptedBy,
      notes: others.slice(0, 3),
    }
  }
  return { ...decided(false, { code: 'upgrade_free', parts: plan.parts.length, from, to }), exceptedBy }
}

/** An exception names the artifact as `project@version`. */
function toViolation({ project_slug, says }: UpgradePlan['reasons'][number], { parts }: UpgradePlan): Violation {
  const part = parts.find((one) => one.project_slug === project_slug)
  const name = part ? `${part.name} ${part.current_version ?? ''}`.trim() : 'Kubernetes'
  const id = part ? `${part.project_slug}@${part.current_version ?? ''}` : 'kubernetes'
  return { kind: 'artifact', id, name, message: says, ...nowhere }
}
