import type { Client } from '../client/client.ts'
import type { RuleBaseline } from '../contract/gate-baseline.ts'
import type { ReceivedComparison, ReceivedRun } from '../contract/received/cluster-report.ts'
import { insteadOf } from '../errors.ts'
import type { ComparedChanges } from '../gate/court.ts'
import type { Policy } from '../gate/policy.ts'
import { isOnChanges } from '../gate/rules.ts'
import { scannedAt } from '../reports/run-subject.ts'
import { remember } from '../util/remember.ts'
import { formatTimestamp, type UnixSeconds } from '../util/time.ts'
import { compareWithPrevious } from './follow-up.ts'

/** What each rule about changes compares a run with. A server without baselines compares with the run before. */
export async function gatherChanges(
  client: Client,
  { rules, baseline, begin, takenIn = [] }: Policy,
  run: ReceivedRun,
  now: UnixSeconds,
): Promise<Map<string, ComparedChanges>> {
  const { run_id } = run
  const today = formatTimestamp(now).slice(0, 10)
  const lines = takenIn.filter(
    ({ cluster, subject, expires }) => cluster === run.cluster_name && subject === run.subject && expires >= today,
  )
  const texts = rules.filter(isOnChanges).map(({ text }) => text)
  const query = {
    run_id,
    rules: texts.join(','),
    ...(baseline !== undefined && { baseline }),
    ...(lines.length > 0 && { taken_in: lines.map(({ commit, day }) => commit ?? day).join(',') }),
  }
  const found = await client.call('listGateBaselines', { query }).catch(insteadOf('not_found', undefined))
  if (!found) {
    const comparison = await compareWithPrevious(client, run_id)
    const { run_id: from = null } = comparison?.from ?? {}
    const previous: ComparedChanges = { why: 'previous', run_id: from, at: null, comparison, held: [] }
    return new Map(texts.map((text) => [text, previous]))
  }
  const compared = new Map<string, Promise<ReceivedComparison>>()
  const compare = (from: string | null, rule?: string) => {
    const asked = { to_run_id: run_id, baseline: from ?? 'none', ...(rule !== undefined && { rule }) }
    return remember(compared, JSON.stringify(asked), () => client.call('compareReports', { query: asked }))
  }
  // What is only judged is nobody's baseline.
  const begins = begin !== undefined && begin === scannedAt(run)?.slice(0, 10) && !run.is_candidate
  const toChanges = async (own: RuleBaseline): Promise<ComparedChanges> => {
    const { rule, run_id: from, at, why, held, taken_in: later } = own
    const isOpen = why === 'none' || why === 'new_subject'
    if (isOpen && begins && baseline === undefined) {
      return { why: 'begins', run_id, at: scannedAt(run), comparison: await compare(run_id), held: [] }
    }
    if (why === 'none' && !later) return { why, run_id: null, at: null, held: [] }
    const line = lines.find(({ commit, day }) => (commit ?? day) === later?.by)
    return {
      why,
      run_id: from,
      at,
      comparison: await compare(from, held.length > 0 ? rule : undefined),
      held,
      ...(later && {
        takenIn: {
          comparison: await compare(later.run_id),
          until: later.until ?? line!.expires,
          by: line?.source ?? later.by,
        },
      }),
    }
  }
  return new Map(await Promise.all(found.items.map(async (own) => [own.rule, await toChanges(own)] as const)))
}
