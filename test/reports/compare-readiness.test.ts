import { expect, test } from 'vitest'
import { compareReadiness } from '../../src/reports/compare-readiness.ts'
import { readAksReadiness } from '../../src/reports/risk-paths.ts'

const scope = { checkIds: ['A', 'B', 'C'], excludedNamespaces: [] as string[] }

const assessed = (ids: string[], notRun: string[] = [], looked: Partial<typeof scope> = {}) => ({
  readiness: readAksReadiness({ summary: { blockerCount: ids.length }, blockers: ids.map((id) => ({ id })) }),
  scope: { ...scope, ...looked },
  checksNotRun: notRun.map((id) => ({ id, name: id, reason: 'forbidden' })),
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

test('a check or a namespace that one of the scans left out makes nothing new and resolves nothing', () => {
  for (const looked of [{ checkIds: ['B', 'C'] }, { excludedNamespaces: ['shop'] }]) {
    expect(compareReadiness(assessed(['A']), assessed([], [], looked))).toMatchObject({ resolved_blockers: [] })
    expect(compareReadiness(assessed([], [], looked), assessed(['A']))).toMatchObject({ new_blockers: [] })
  }
})

test('says nothing of reports without it', () => {
  const silent = { readiness: null, scope, checksNotRun: [] }
  expect(compareReadiness(silent, silent)).toBeNull()
  expect(compareReadiness(assessed(['A']), silent)).toMatchObject({ to: null, resolved_blockers: [] })
})
