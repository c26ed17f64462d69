import type { TakeInRun, TakenIn } from '../../contract/gate-baseline.ts'
import type { Db } from '../../db/open.ts'
import { invalidParams, ReltError } from '../../errors.ts'
import { parseRule } from '../../gate/rules.ts'
import { nameOfSubjects } from '../../reports/ledger.ts'
import { findMissed } from '../../reports/missed.ts'
import { noFindings } from '../../reports/no-findings.ts'
import type { User } from '../../store/accounts/user.ts'
import { saveBaseline } from '../../store/runs/baseline.ts'
import { replacePart } from '../../store/runs/part.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { pack } from '../../util/pack.ts'
import { formatDay, formatTimestamp, type UnixSeconds } from '../../util/time.ts'
import { makerFor } from '../accounts/maker.ts'
import type { Vault } from '../keys/vault.ts'
import { findBaselines } from './baseline.ts'
import { carryOn } from './carry-on.ts'
import { compareFindings } from './compare.ts'
import { openContext } from './context.ts'

interface Act extends TakeInRun {
  ownerId: number
  by: User
  now: UnixSeconds
}

/** The strictest rule about changes: its baseline is the last run that had nothing new. */
const anyChange = parseRule('new>=info')!

/**
 * Makes a run the baseline of all rules, as somebody's named act. Throws `conflict` for a run that is judged only, and
 * `invalid_param` for a day that is over. Call it with the cluster's runs locked.
 */
export async function takeIn(
  trx: Db,
  vault: Vault,
  stored: StoredRun,
  { reason, until: last, dry_run, ownerId, by, now }: Act,
): Promise<Omit<TakenIn, 'success'>> {
  const { id, seriesId, run } = stored
  const until = last ?? null
  if (run.is_candidate) {
    throw new ReltError(
      'conflict',
      'The run is only judged, such as that of a pull request, and is nobody’s baseline.',
      {
        hint: 'Take in a run of its target branch.',
      },
    )
  }
  if (until !== null && until < formatDay(now)) throw invalidParams({ until: 'is over' })
  const [before] = await findBaselines(trx, stored, [anyChange], { ownerId, now })
  const from = before?.run?.id === id ? undefined : before?.run
  const { comparison } = await compareFindings(trx, vault, {
    from: from ?? stored,
    to: stored,
    knownBefore: from,
    held: before?.held.map(({ fingerprint }) => fingerprint) ?? [],
    isWithNothing: !from,
  })
  const { new_findings, regressed_findings, first_seen_findings = [], held_findings = [] } = comparison
  const takes_in = noFindings()
  for (const { severity } of [...new_findings, ...regressed_findings, ...first_seen_findings, ...held_findings]) {
    takes_in.total++
    takes_in[severity]++
  }
  const context = await openContext(trx, vault, id, run.run_id)
  const { checks, parts, namespaces, kinds, notRun } = findMissed(context)
  if (!dry_run) {
    await saveBaseline(trx, { series_id: seriesId, run_id: id, rule: '', by: by.login, made_by: makerFor(by), until })
    await replacePart(trx, id, vault.seal(run.run_id, 'baseline', 0, pack(JSON.stringify({ reason }))))
    if (until === null) await carryOn(trx, vault, id)
  }
  return {
    run_id: run.run_id,
    cluster_name: run.cluster_name,
    environment: run.environment,
    format: run.format,
    subject: nameOfSubjects(context.subjects) ?? null,
    takes_in,
    drops:
      until === null
        ? [...checks, ...notRun, ...parts, ...kinds, ...namespaces.map((name) => `namespace ${name}`)]
        : [],
    until,
    reason,
    made_at: formatTimestamp(now),
    made_by: by.login,
  }
}
