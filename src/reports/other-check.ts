import type { IncomparableFindings } from '../contract/cluster-report.ts'
import type { CheckInfo } from './finding-index.ts'
import type { RunFindings } from './run-findings.ts'

/**
 * The last PowerShell builds of KubeBuddy give two checks the id SC002. They run side by side, and the one that ends later is in
 * the report.
 */
const takingTurns = new Map([
  ['SC002', new Set(['StorageClass Prevents Volume Expansion', 'AKS Azure In-Tree Storage Provisioners'])],
])

type Reason = Pick<IncomparableFindings, 'reason'>

/**
 * Says whether the other run has another check under the id of a check. Within one version of a scanner, a check of another name is
 * another check. A later version may have renamed it.
 */
export function otherCheck(run: RunFindings, other: RunFindings): (check: CheckInfo) => Reason | undefined {
  const isSameVersion = (run.sourceVersion ?? null) === (other.sourceVersion ?? null)
  if (run.format !== 'kubebuddy' || other.format !== 'kubebuddy') return () => undefined
  const names = new Map(other.index.checks.map(({ id, name }) => [id, name]))
  return ({ id, name }) => {
    const there = names.get(id)
    if (there === undefined || there === name) return undefined
    const pair = takingTurns.get(id)
    if (pair?.has(name) && pair.has(there)) return { reason: 'takes_turns' }
    return isSameVersion ? { reason: 'another_check' } : undefined
  }
}
