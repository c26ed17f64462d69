import { describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { ReltError } from '../../src/errors.ts'
import { completePolicy } from '../../src/gate/complete-policy.ts'
import { enqueue } from '../../src/submit/enqueue.ts'
import { review } from '../../src/submit/review.ts'
import { smallReports } from '../helpers/small-store.ts'
import { openService, type TestService } from '../operations/service.ts'
import { openContext } from './context.ts'

const report = Buffer.from(JSON.stringify(smallReports[2]))
const policyFor = (...failOn: string[]) => completePolicy(undefined, { failOn })

/** Two runs of a cluster, and a client that counts its calls; `fail` stands before a call. */
async function openRuns(fail: (route: string) => void = () => {}) {
  const service = await openService()
  await service.upload([], { report: smallReports[1] })
  const uploaded = await service.upload([], { report: smallReports[2] })
  const calls: string[] = []
  const call = async (name: string, request: object) => {
    calls.push(name)
    fail(name)
    return service.call(...([name, request] as unknown as Parameters<TestService['call']>))
  }
  const { context } = openContext({ call: call as unknown as Client['call'] })
  return { context, calls, outcome: { uploaded } }
}

describe('the review of an upload', () => {
  test.each([
    [['getReport'], { run: true }],
    [[], { run: false }],
    [['compareReports'], { compare: true, run: false }],
    [['compareReports', 'getReport'], { compare: true, run: true }],
    [
      ['listExceptions', 'getReport', 'compareReports', 'recordGate', 'listReports'],
      { policy: policyFor('score<50'), run: false },
    ],
    [
      ['listExceptions', 'getReport', 'listGateBaselines', 'compareReports', 'recordGate', 'listReports'],
      { compare: true, run: true, policy: policyFor('new>=high', 'findings>=critical') },
    ],
    [
      ['listExceptions', 'getReport', 'compareReports', 'reportFreshness', 'recordGate', 'listReports'],
      { compare: true, run: true, policy: policyFor('eol') },
    ],
  ])('calls %j', async (expected, options) => {
    const { context, calls, outcome } = await openRuns()
    await review(context, outcome, { report, ...options })
    expect(calls).toEqual(expected)
  })

  test('shows the comparison that the gate judged', async () => {
    const { context, outcome } = await openRuns()
    const { run, comparison, gate } = await review(context, outcome, {
      report,
      compare: true,
      run: true,
      policy: policyFor('new>=high'),
    })
    expect(run).toMatchObject({ run_id: outcome.uploaded.run_id, score: 80 })
    expect(comparison?.new_findings).toHaveLength(2)
    expect(gate?.evidence.comparison).toBe(comparison)
    expect(gate?.result.verdict).toBe('failed')
  })

  test('has no record of a run that the API key may not read', async () => {
    const { context, outcome } = await openRuns((name) => {
      if (name === 'getReport') throw new ReltError('forbidden', 'The key may only upload.')
    })
    expect(await review(context, outcome, { report, run: true })).toMatchObject({ run: undefined, gate: undefined })
    await expect(review(context, outcome, { report, run: true, policy: policyFor('score<50') })).rejects.toThrow(
      `The report is stored as ${outcome.uploaded.run_id}, but its review failed. The key may only upload.`,
    )
  })

  test('of an upload that waits calls nobody, and takes no first run for granted', async () => {
    const { context } = openContext()
    const spooled = await enqueue(
      context,
      { body: {}, report, idempotencyKey: 'mine' },
      new ReltError('unreachable', 'down'),
    )
    const outcome = { spooled, reason: new ReltError('unreachable', 'Nobody there.') }
    const policy = policyFor('new>=high', 'findings>=critical', 'score<50')
    const { run, gate } = await review(context, outcome, { report, compare: true, run: true, policy })
    expect(run).toBe(spooled.run)
    expect(gate?.result.rules.map(({ verdict }) => verdict)).toEqual(['undecided', 'failed', 'passed'])
  })
})
