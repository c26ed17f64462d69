import type { ReceivedComparison } from '../contract/received/cluster-report.ts'
import type { AksReadiness, ReadinessChange } from '../contract/risk-path.ts'
import { count } from '../util/words.ts'
import { firstOf, joined, named, type Said, safe, say, type Tone } from './said.ts'
import type { Note } from './view.ts'

type Figures = Pick<AksReadiness, 'status' | 'label' | 'skipped' | 'blocker_count' | 'warning_count'>

/** Whether a cluster is ready for AKS Automatic. */
export function readinessSaid(readiness: Figures & Partial<Pick<AksReadiness, 'message'>>): Said {
  const { status, label, blocker_count: blockers, warning_count: warnings, skipped, message } = readiness
  if (skipped) return say`not assessed${!!message && say`: ${message}`}`
  return joined(
    [
      [named('text', label ?? status ?? 'unknown')],
      ...(blockers ? [[safe(count(blockers, 'blocker'))]] : []),
      ...(warnings ? [[safe(count(warnings, 'warning'))]] : []),
    ],
    ', ',
  )
}

const mostNamed = 5

/** Change of the readiness since the earlier run; empty if there is none, or neither report has it. */
export function readinessNotes({ aks_readiness: change }: ReceivedComparison): Note[] {
  if (!change || !hasChanged(change)) return []
  const { from, to, new_blockers: came, resolved_blockers: gone } = change
  const parts = [
    say`AKS Automatic: ${statedSaid(from)} \u2192 ${statedSaid(to)}`,
    ...blockersSaid('new', came),
    ...blockersSaid('resolved', gone),
  ]
  const isUnknown = to === null || to.skipped
  const tone: Tone | undefined = came.length > 0 ? 'bad' : isUnknown ? 'warn' : undefined
  return [{ ...(tone && { tone }), ...(isUnknown && { isDoubt: true }), said: joined(parts, '; ') }]
}

const statedSaid = (readiness: Figures | null) => (readiness ? readinessSaid(readiness) : say`not stated`)

function blockersSaid(word: string, blockers: ReadinessChange['new_blockers']) {
  if (blockers.length === 0) return []
  const names = blockers.map(({ check_id, name }) => [named('check', `${check_id} ${name ?? ''}`.trim())])
  return [say`${safe(word)}: ${firstOf(names, mostNamed)}`]
}

function hasChanged({ from, to, new_blockers, resolved_blockers }: ReadinessChange) {
  const keys = ['status', 'skipped', 'blocker_count', 'warning_count'] as const
  return new_blockers.length + resolved_blockers.length > 0 || keys.some((key) => from?.[key] !== to?.[key])
}
