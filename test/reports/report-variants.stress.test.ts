import { beforeAll, describe, expect, test } from 'vitest'
import { completePolicy } from '../../src/gate/complete-policy.ts'
import { compareRuns } from '../../src/reports/compare.ts'
import type { RunFindings } from '../../src/reports/run-findings.ts'
import { changesOf } from '../gate/evidence.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'
import { now, openService } from '../operations/service.ts'
import { changes, type Told } from './made-changes.ts'
import { madeReport, offerings } from './made-cluster.ts'
import { toRun } from './scan.ts'

const compare = (from: RunFindings, to: RunFindings) => compareRuns(from, to, async () => new Set())

const told = (difference: Awaited<ReturnType<typeof compare>>): Required<Told> => ({
  new: difference.new.length,
  resolved: difference.resolved.length,
  regressed: difference.regressed.length,
  changed: difference.changed.length,
  suppressed: difference.suppressed.length,
  incomparable: difference.incomparableCount,
})

const nothing = { new: 0, resolved: 0, regressed: 0, changed: 0, suppressed: 0, incomparable: 0 }
const seeds = [1, 2, 3, 4, 5]

describe.each(offerings)('on %s', (offering) => {
  const before = new Map<number, RunFindings>()
  beforeAll(async () => {
    for (const seed of seeds) before.set(seed, await toRun(madeReport(offering, seed, 1)))
  })

  test('a rollout with new versions and machines is no change', async () => {
    for (const seed of seeds) {
      for (const churn of [2, 3]) {
        const difference = await compare(before.get(seed)!, await toRun(madeReport(offering, seed, churn)))
        expect(told(difference)).toEqual(nothing)
        expect(difference.unchangedCount).toBeGreaterThan(150)
      }
    }
  })

  test.each(changes)('$name, with a rollout or without: each change is told once', async ({ make, told: expected }) => {
    for (const seed of seeds) {
      const changed = [1, 2].map((churn) => {
        const report = madeReport(offering, seed, churn)
        make(report)
        return report
      })
      const [without, withRollout] = await Promise.all(
        changed.map(async (report) => told(await compare(before.get(seed)!, await toRun(report)))),
      )
      expect(withRollout).toEqual(without)
      const { incomparable } = without!
      if (Number.isNaN(expected.incomparable)) expect(incomparable).toBeGreaterThan(15)
      expect(without).toEqual({ ...nothing, ...expected, ...(Number.isNaN(expected.incomparable) && { incomparable }) })
    }
  })
})

test.each(changes)('$name: the gate of new findings has $gate', async ({ make, gate }) => {
  const { call, upload } = await openService()
  const finished = (day: number) => ({ body: { run: { finished_at: `2026-08-0${day} 00:00:00` } } })
  const later = madeReport('gke', 1, 2)
  make(later)
  await upload([], { report: madeReport('gke', 1, 1), ...finished(1) })
  const { run_id } = await upload([], { report: later, ...finished(2) })
  const run = await call('getReport', { params: { run_id } })
  const comparison = await call('compareReports', { query: { to_run_id: run_id } })
  const policy = completePolicy(undefined, { failOn: ['new>=info'] })
  expect(evaluateGate(policy, { run, changes: changesOf(['new>=info'], comparison) }, now).verdict).toBe(gate)
})
