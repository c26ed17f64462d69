import type { Eol } from '../contract/eol.ts'
import type { ReceivedFreshness } from '../contract/received/cluster-report.ts'
import { kubernetesSupport } from '../lifecycle/kubernetes-support.ts'
import { supportText } from '../lifecycle/support-text.ts'
import type { Court } from './court.ts'
import type { RuleOf } from './rule.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'
import { nowhere } from './violation.ts'

/**
 * Uses the catalog's facts about the cluster's version, else the bundled dates. Fails from the day after the last day of
 * support.
 */
export function judgeKubernetes(
  _: RuleOf<'kubernetes-eol'>,
  { run, freshness, exceptions, today }: Pick<Court, 'run' | 'freshness' | 'exceptions' | 'today'>,
): RuleVerdict {
  const { kubernetes_version: version, provider } = run
  if (version === null) return undecided({ code: 'no_kubernetes' }, 'kubernetes')
  const bundled = kubernetesSupport({ version, provider, today })
  const support = supportByFreshness(freshness, today) ?? bundled.eol
  if (!support) {
    const why = bundled.eol ? '' : bundled.unknown
    return undecided({ code: 'no_end_of_support', version, why }, 'ends of support')
  }
  const reason = supportText(`Kubernetes ${support.cycle}`, support)
  if (!support.is_eol) return decided(false, reason)
  const id = `kubernetes@${version}`
  const excepted = exceptions.forArtifact({ artifact_key: id, namespace: null })
  if (excepted) {
    const exceptedBy = { file: 0, server: 0, [excepted.origin ?? 'file']: 1 }
    return { ...decided(false, { code: 'excepted', reason, until: excepted.expires }), exceptedBy }
  }
  return decided(true, reason, [{ kind: 'artifact', id, name: `Kubernetes ${version}`, message: reason, ...nowhere }])
}

function supportByFreshness(freshness: ReceivedFreshness | undefined, today: string): Eol | undefined {
  const eol = freshness?.items.find(({ artifact_type }) => artifact_type === 'kubernetes')?.eol
  return eol && { ...eol, is_eol: eol.date === null ? eol.is_eol : eol.date < today }
}
