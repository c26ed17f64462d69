import type { Policy } from '../../../gate/policy.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import type { Cli } from '../../program/command.ts'
import { bodyOfKept, renderKept } from './kept-view.ts'
import type { Kept } from './store-or-keep.ts'

interface Wishes {
  report: Uint8Array
  compare: boolean | undefined
  policy: Policy | undefined
  /** What else belongs to the answer. */
  more?: object
}

/** The end of a command whose upload waits. The gate decides by the report alone, and not by what it does not tell. */
export async function showKept(cli: Cli, kept: Kept, { report, compare, policy, more }: Wishes): Promise<void> {
  const gate = policy && (await judge(policy, kept, report, cli.context.now()))
  const text = async (io: Io) => {
    const parts = [renderKept(io, kept)]
    if (gate) parts.push((await import('../gate/view.ts')).renderGate(io, gate))
    return parts.join('\n')
  }
  await show(cli, {
    body: { ...bodyOfKept(kept), ...more, ...(compare && { comparison: null }), ...(gate && { gate }) },
    text,
    ...(compare && { note: 'What changed can be told when the report is sent.' }),
  })
  if (gate) (await import('../gate/verdict.ts')).requirePassed(gate)
}

async function judge(policy: Policy, { run }: Kept, report: Uint8Array, now: number) {
  const { judgeUnsent } = await import('../gate/gather.ts')
  return (await judgeUnsent(policy, { run, now, report })).result
}
