import { createHash } from 'node:crypto'
import { type GateRecord, gateRecordLimits } from '../contract/gate-verdict.ts'
import { ReltError } from '../errors.ts'
import type { EntryUse } from '../gate/entry-uses.ts'
import type { Policy } from '../gate/policy.ts'
import type { UndecidedLine } from '../gate/undecided-line.ts'
import { defined } from '../util/defined.ts'
import { exceptionWhere } from '../views/exception.ts'
import type { SaidRule } from '../views/gate-words.ts'
import type { SubmitContext } from './context.ts'
import type { Judgement } from './judge.ts'

/** Records the verdict with its run. The verdict is valid without the record, so a failure is a warning. */
export async function recordVerdict(
  { client, onWarning }: Pick<SubmitContext, 'client' | 'onWarning'>,
  run_id: string,
  judgement: Judgement,
): Promise<void> {
  try {
    await client.call('recordGate', { params: { run_id }, body: toRecord(judgement) })
  } catch (error) {
    if (!(error instanceof ReltError) || error.code === 'cancelled') throw error
    const why = error.code === 'not_found' ? 'The server does not record verdicts.' : error.message
    onWarning(`The verdict was not recorded: ${why}`)
  }
}

function toRecord({ policy, result }: Judgement): GateRecord {
  const { rules, exceptions, undecided_lines, undecided_by } = result
  return {
    policy: policyFor(policy),
    rules: rules.map(recordRule),
    exceptions: exceptions.used.slice(0, gateRecordLimits.exceptions).map((each) => ({
      ...toUsed(each),
      ...(each.origin && { where: exceptionWhere(each) }),
    })),
    undecided_lines: undecided_lines.used.slice(0, gateRecordLimits.exceptions).map(toUsed),
    undecided_by: undecided_by.slice(0, gateRecordLimits.gaps).map(({ part, place, reason, cure, ...gap }) => ({
      ...gap,
      part: cut(part, 300),
      ...(place !== undefined && { place: cut(place, 300) }),
      reason: cut(reason, 500),
      cure: cut(cure, 500),
    })),
  }
}

const toUsed = ({
  source,
  reason = '',
  expires,
  matched,
}: Pick<EntryUse<UndecidedLine>, 'source' | 'reason' | 'expires' | 'matched'>) => ({
  source: cut(source, 300),
  reason: cut(reason, 1000),
  expires,
  matched,
})

/** A rule in the recorded form. */
export function recordRule({ rule, verdict, reason, excepted, allowed_unknown, baseline, moves }: SaidRule) {
  const why = allowed_unknown === null ? reason : `${reason}. ${allowed_unknown}`
  const told = { ...defined({ baseline, moves }) }
  return { rule, verdict, reason: cut(why, 1000), excepted, allowed_unknown: allowed_unknown !== null, ...told }
}

/** Excludes the server's own exceptions, which it has. */
function policyFor(policy: Policy): GateRecord['policy'] {
  const { name = policy.rules.map(({ text }) => text).join(' '), exceptionsGap: _, ...settings } = policy
  const exceptions = policy.exceptions.filter(({ origin }) => origin !== 'server').map(({ source: _, ...rest }) => rest)
  const digest = createHash('sha256')
    .update(JSON.stringify({ ...settings, exceptions }))
    .digest('hex')
  return { name: fit(name), digest }
}

/** A name that is too long is truncated and gets a hash, so that names of policies stay distinct. */
function fit(name: string): string {
  if (name.length <= 200) return name
  return `${cut(name, 180)} ${createHash('sha256').update(name).digest('hex').slice(0, 16)}`
}

/** Never splits a surrogate pair. */
const cut = (text: string, length: number) => text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
