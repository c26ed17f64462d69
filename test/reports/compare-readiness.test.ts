import { expect, test } from 'vitest'
import { compareReadiness } from '../../src/reports/compare-readiness.ts'
import { readAksReadiness } from '../../src/reports/risk-paths.ts'

const assessed = (ids: string[], notRun: string[] = []) => ({
  readiness: readAksReadiness({ summary: { blockerCount: ids.length }, blockers: ids.map((id) => ({ id })) }),
  checksNotRun: notRun.map((id) => ({ id })),
})

test('names blockers that came and went', () => {
  expect(compareReadiness(assessed(['A', 'B']), assessed(['B', 'C']))).toMatchObject({
    from: { blocker_count: 2 },
    new_blockers: [{ check_id: 'C' }],
    resolved_blockers: [{ check_id: 'A' }],
  })
})

test('a check that did not run blocks nothing, and is not resolved', () => {
  expect(compareReadiness(assessed(['A']), assessed([], ['A']))).toMatchObject({ resolved_blockers: [] })
  expect(compareReadiness(assessed([], ['A']), assessed(['A']))).toMatchObject({ new_blockers: [] })
})

test('says nothing of reports without it', () => {
  const silent = { readiness: null, checksNotRun: [] }
  expect(compareReadiness(silent, silent)).toBeNull()
  expect(compareReadiness(assessed(['A']), silent)).toMatchObject({ to: null, resolved_blockers: [] })
})
