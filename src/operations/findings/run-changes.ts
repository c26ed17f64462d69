import type { Db } from '../../db/open.ts'
import { checkAt, offsetsIn, recordLength } from '../../reports/finding-records.ts'
import { fingerprintLength } from '../../reports/fingerprint.ts'
import type { RunFindings } from '../../reports/run-findings.ts'
import { isEvent } from '../../reports/state-check.ts'
import type { RunChanges } from '../../store/findings/scanner-change.ts'
import { getRunById } from '../../store/runs/run.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import type { UnixSeconds } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'
import { findRunBeforeBuild } from '../runs/build.ts'
import { compareFindings, type FindingsComparison } from '../runs/compare.ts'
import { openFindings } from '../runs/open-findings.ts'

export type ChangeState = 'new' | 'regressed'

/** Key: stored fingerprint. */
export function storedStates(changes: RunChanges): Map<string, ChangeState> {
  const states = new Map<string, ChangeState>()
  for (const state of ['new', 'regressed'] as const) {
    for (const at of offsetsIn(changes[state])) states.set(keyAt(changes[state], at), state)
  }
  return states
}

export interface RunNews extends RunChanges {
  /** The last run until the time; undefined without one. */
  from: StoredRun | undefined
  /** Undefined unless `from` is an earlier run. */
  comparison: FindingsComparison | undefined
}

/** The run by its row id, and the last one of its series until a time. */
export async function findRunsSince(db: Db, rowId: number, since: UnixSeconds) {
  const to = await getRunById(db, rowId)
  return { to, from: await findRunBeforeBuild(db, to, since) }
}

/** What is new in a run, compared with the last one until a time. Without one, everything is new. */
export async function findNews(
  db: Db,
  vault: Vault,
  { to, from }: Awaited<ReturnType<typeof findRunsSince>>,
): Promise<RunNews> {
  if (from?.id === to.id) return { from, new: none, regressed: none, incomparable: 0, comparison: undefined }
  const { index } = await openFindings(db, vault, to)
  if (!from) return { from, ...allNew(index), comparison: undefined }
  const { records } = index
  const { comparison } = await compareFindings(db, vault, { from, to, knownBefore: from })
  const hide = (found: { fingerprint: string }[]) => {
    const hidden = vault.hideFingerprints(Buffer.concat(found.map((each) => Buffer.from(each.fingerprint, 'hex'))))
    const keys = new Set(found.map((_, i) => keyAt(hidden, i * fingerprintLength)))
    return keys.size === 0 ? none : pick(records, (at) => keys.has(keyAt(records, at)))
  }
  return {
    from,
    new: hide([...comparison.new_findings, ...(comparison.first_seen_findings ?? [])]),
    regressed: hide(comparison.regressed_findings),
    incomparable: comparison.incomparable_findings_count,
    comparison,
  }
}

/** All findings of a run without an earlier one are new, except events. */
export const allNew = ({ records, checks }: RunFindings['index']): RunChanges => ({
  new: pick(records, (at) => !isEvent(checks[checkAt(records, at)]!.id)),
  regressed: none,
  incomparable: 0,
})

const none = Buffer.alloc(0)

const pick = (records: Buffer, isWanted: (at: number) => boolean): Buffer =>
  Buffer.concat(offsetsIn(records).flatMap((at) => (isWanted(at) ? [records.subarray(at, at + recordLength)] : [])))

export const keyAt = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + fingerprintLength)
