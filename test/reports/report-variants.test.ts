import { describe, expect, test } from 'vitest'
import { compareRuns } from '../../src/reports/compare.ts'
import { changes, type Told } from './made-changes.ts'
import { type MadeReport, madeReport, offerings } from './made-cluster.ts'
import { runOf } from './scan.ts'

async function compare(from: MadeReport, to: MadeReport) {
  return compareRuns(await runOf(from), await runOf(to), async () => new Set())
}

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
  test('a rollout with new versions and machines is no change', async () => {
    for (const seed of seeds) {
      for (const churn of [2, 3]) {
        const difference = await compare(madeReport(offering, seed, 1), madeReport(offering, seed, churn))
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
        changed.map(async (report) => told(await compare(madeReport(offering, seed, 1), report))),
      )
      expect(withRollout).toEqual(without)
      const { incomparable } = without!
      if (Number.isNaN(expected.incomparable)) expect(incomparable).toBeGreaterThan(15)
      expect(without).toEqual({ ...nothing, ...expected, ...(Number.isNaN(expected.incomparable) && { incomparable }) })
    }
  })
})
