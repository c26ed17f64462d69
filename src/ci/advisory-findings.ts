import type { RunningAdvisory } from '../contract/freshness.ts'
import { ratingText } from '../contract/rating-text.ts'
import type { ReceivedFreshness, ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import { Exceptions, sourceText } from '../gate/exception.ts'
import type { Policy } from '../gate/policy.ts'
import { fixText } from '../lifecycle/step-text.ts'
import { advisoryLink } from '../security/advisory-ids.ts'
import { ratedSeverity } from '../views/advisory.ts'
import { type CiFinding, toFingerprint } from './report.ts'

/** One finding per advisory and affected artifact. `today` is `YYYY-MM-DD`. */
export function advisoryFindings(
  freshness: ReceivedFreshness,
  policy: Pick<Policy, 'exceptions'>,
  today: string,
): CiFinding[] {
  const exceptions = new Exceptions(policy.exceptions, today)
  return freshness.items.flatMap((item) =>
    (item.advisories ?? []).map((advisory) => {
      const exception = exceptions.forAdvisory(item, advisory)
      return {
        ...toFinding(item, advisory),
        baseline: undefined,
        suppression: exception && {
          kind: 'external',
          reason: exception.reason,
          source: sourceText(exception),
        },
      }
    }),
  )
}

function toFinding(item: ReceivedFreshnessItem, advisory: RunningAdvisory) {
  const { id, severity, score, published, exploited } = advisory
  const name = item.display_name ?? item.artifact_key ?? '-'
  const project = item.source_product_slug ?? 'its project'
  const rated = `${ratingText(severity)}${score === null ? '' : `, CVSS ${score}`}`
  return {
    check_id: id,
    check_name: `${id} in ${project}`,
    category: 'Advisories',
    severity: ratedSeverity(severity),
    namespace: item.namespace,
    resource: name,
    message: `Affected by ${id} (${rated}${published ? `, published ${published}` : ''})${exploited ? ', exploited' : ''}; ${fixText(advisory, item)}`,
    value: item.current_version,
    fingerprint: toFingerprint(`${id} ${item.artifact_key}`),
    helpUri: advisoryLink(id),
    score,
  }
}
