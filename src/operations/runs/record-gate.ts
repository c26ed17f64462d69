import type * as z from 'zod/mini'
import type { GateRecord, GateVerdict, PolicyVerdict, RunGate } from '../../contract/gate-verdict.ts'
import type { Db } from '../../db/open.ts'
import { ReltError } from '../../errors.ts'
import { recordEvents } from '../../store/notifications/record-event.ts'
import { getClusterOwner } from '../../store/runs/cluster.ts'
import { findPart, replacePart } from '../../store/runs/part.ts'
import { setGate } from '../../store/runs/run.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { pack, unpack } from '../../util/pack.ts'
import { formatTimestamp, type UnixSeconds } from '../../util/time.ts'
import { limitsFor } from '../../views/gate.ts'
import type { Vault } from '../keys/vault.ts'
import { moveBaselines } from './baseline.ts'

/** Dropping the verdict of a policy could turn a failed run into a passed one. */
const maxPolicies = 20

/**
 * Records a gate's verdict, replacing the previous one of the same policy. A run has the worst verdict of all policies, so
 * that a check with fewer rules hides no failure. `by`: login of the user. Throws `conflict` for too many policies.
 */
export async function recordGate(
  trx: Db,
  vault: Vault,
  run: StoredRun,
  { record, by, now }: { record: z.output<typeof GateRecord>; by: string; now: UnixSeconds },
): Promise<RunGate> {
  const at = formatTimestamp(now)
  const verdict = worst(record.rules.map((rule) => rule.verdict))
  const others = (await openGates(trx, vault, run)).filter(({ policy }) => policy.name !== record.policy.name)
  if (others.length >= maxPolicies) {
    throw new ReltError('conflict', `The run has verdicts of ${maxPolicies} policies.`, {
      hint: 'Use one of these policies, or judge the next run.',
    })
  }
  const rules = record.rules.map(({ moves: _, ...rule }) => rule)
  const all = [...others, { ...record, rules, verdict, at, by }]
  const runId = run.run.run_id
  await replacePart(trx, run.id, vault.seal(runId, 'gate', 0, pack(JSON.stringify(all))))
  const limits = limitsFor(all)
  const overall = { verdict: worst(all.map((each) => each.verdict)), at: now, limits }
  await setGate(trx, run, overall)
  await moveBaselines(trx, vault, run, { rules: record.rules, by })
  if (overall.verdict === 'failed') {
    const { clusterId } = run
    const ownerId = await getClusterOwner(trx, clusterId)
    // One event per run. The failed rules stay sealed with the run.
    const key = `gate.failed/${runId}`
    await recordEvents(trx, [{ type: 'gate.failed', at: now, ownerId, clusterId, key, data: { runId } }])
  }
  return { verdict: overall.verdict, at }
}

/** The latest verdict of each policy, oldest first. */
export async function openGates(
  db: Db,
  vault: Vault,
  { id, run }: Pick<StoredRun, 'id' | 'run'>,
): Promise<PolicyVerdict[]> {
  const part = await findPart(db, id, 'gate')
  return part ? JSON.parse(unpack(vault.open(run.run_id, part)).toString('utf8')) : []
}

/** Verdicts from best to worst. */
const order: GateVerdict[] = ['passed', 'undecided', 'failed']

function worst(verdicts: GateVerdict[]): GateVerdict {
  return order[Math.max(...verdicts.map((verdict) => order.indexOf(verdict)))] ?? 'undecided'
}
