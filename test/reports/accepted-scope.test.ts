import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  findGaps,
  firstScope,
  growScope,
  mergeScopes,
  replaceScope,
  type SeenScope,
} from '../../src/reports/accepted-scope.ts'

interface Seen {
  checks?: string[] | null
  notRun?: string[]
  failed?: string[]
  excluded?: string[]
  unreported?: string[]
  unread?: string[]
}

function seen(
  at: number,
  { checks = [], notRun = [], failed = [], excluded = [], unreported = [], unread = [] }: Seen,
) {
  const unreadKinds = unread.map((kind) => ({ kind, category: '*', reason: 'forbidden' }))
  return {
    scope: {
      checkIds: checks,
      excludedNamespaces: [...excluded, ...unreported],
      unreportedNamespaces: unreported,
      unreadKinds,
    },
    checksNotRun: notRun.map((id) => ({ id, name: id, reason: 'forbidden' })),
    checks: failed.map((id) => ({ id })),
    at,
  } satisfies SeenScope
}

const gapsFor = (scope: Parameters<typeof findGaps>[0], at: number, what: Seen) => findGaps(scope, seen(at, what))
const nothing = { checks: [], namespaces: [], kinds: [] }

describe('the scope of the scans so far', () => {
  const first = firstScope(seen(1, { checks: ['A', 'B'], notRun: ['P'], excluded: ['kube-system'], unread: ['Rbac'] }))

  test('is that of the first scan', () => {
    expect(gapsFor(first, 2, { checks: ['A', 'B'], excluded: ['kube-system'], unread: ['Rbac'] })).toEqual(nothing)
    expect(gapsFor(first, 2, { checks: ['B'], excluded: ['kube-system', 'shop'], unread: ['Rbac', 'Audit'] })).toEqual({
      checks: ['A'],
      namespaces: ['shop'],
      kinds: ['Audit'],
    })
  })

  test('grows with what later scans add, and never shrinks', () => {
    const narrow = growScope(first, seen(2, { checks: ['B'], excluded: ['kube-system', 'shop'] }))
    const grown = growScope(narrow, seen(3, { checks: ['A', 'B', 'C'] }))
    expect(gapsFor(grown, 4, { checks: ['B'], excluded: ['kube-system'] })).toEqual({
      checks: ['A', 'C'],
      namespaces: ['kube-system'],
      kinds: [],
    })
    // Before it grew, nothing of that was missing.
    expect(gapsFor(grown, 2, { checks: ['A', 'B'], excluded: ['kube-system'] })).toEqual(nothing)
  })

  test('takes nothing from scans before the first: checks of years ago are not expected', () => {
    expect(growScope(first, seen(0, { checks: ['OLD'] }))).toEqual(first)
  })

  test('expects no check that never ran, and misses none that is listed and did not run', () => {
    const scope = firstScope(seen(1, { checks: ['A', 'P'], notRun: ['P'] }))
    expect(gapsFor(scope, 2, { checks: ['A'] })).toEqual(nothing)
    expect(gapsFor(scope, 2, { checks: [], notRun: ['A'] })).toEqual(nothing)
  })

  test('misses every check that a report which lists failed ones only does not name', () => {
    expect(
      gapsFor(first, 2, { checks: null, failed: ['A'], excluded: ['kube-system'], unread: ['Rbac'] }).checks,
    ).toEqual(['B'])
    const unlisted = firstScope(seen(1, { checks: null, failed: ['A'] }))
    expect(gapsFor(unlisted, 2, { checks: null })).toEqual(nothing)
  })

  test('leaves namespaces that an operator has not reported yet to the checks that did not run', () => {
    expect(gapsFor(first, 2, { checks: ['A', 'B'], unreported: ['fresh'] })).toEqual(nothing)
  })
})

describe('an accepted scope', () => {
  const before = growScope(firstScope(seen(1, { checks: ['A', 'B'] })), seen(2, { checks: ['A', 'B', 'C'] }))
  const accepted = replaceScope(before, seen(3, { checks: ['A'], excluded: ['shop'] }))

  test('expects what the run had, and no more', () => {
    expect(gapsFor(accepted, 4, { checks: ['A'], excluded: ['shop'] })).toEqual(nothing)
    expect(gapsFor(accepted, 4, { checks: [], excluded: ['shop', 'web'] })).toEqual({
      checks: ['A'],
      namespaces: ['web'],
      kinds: [],
    })
  })

  test('still judges older runs by what it has in common with the scope before', () => {
    expect(gapsFor(accepted, 2, { checks: ['B'] }).checks).toEqual(['A'])
  })

  test('misses a namespace again that a later scan looked into', () => {
    const again = growScope(accepted, seen(5, { checks: ['A'] }))
    expect(gapsFor(again, 6, { checks: ['A'], excluded: ['shop'] }).namespaces).toEqual(['shop'])
    expect(gapsFor(again, 4, { checks: ['A'], excluded: ['shop'] })).toEqual(nothing)
  })
})

test('two clusters that become one expect what either had', () => {
  const one = firstScope(seen(1, { checks: ['A'], excluded: ['kube-system', 'shop'] }))
  const other = firstScope(seen(2, { checks: ['B'], excluded: ['kube-system'] }))
  expect(gapsFor(mergeScopes(one, other), 3, { excluded: ['kube-system', 'shop'] })).toEqual({
    checks: ['A', 'B'],
    namespaces: ['shop'],
    kinds: [],
  })
})

test('whatever scans come, a later scan misses nothing that the last one did not lack or bring', () => {
  const letters = fc.subarray(['A', 'B', 'C', '__proto__', 'constructor'])
  const scans = fc.array(fc.record({ checks: letters, notRun: letters, excluded: letters }), {
    minLength: 1,
    maxLength: 6,
  })
  fc.assert(
    fc.property(scans, (all) => {
      const [start, ...rest] = all.map((each, at) => seen(at, each))
      const scope = rest.reduce(growScope, firstScope(start!))
      const ran = new Set(all.flatMap(({ checks, notRun }) => checks.filter((id) => !notRun.includes(id))))
      const empty = seen(all.length, {})
      expect(findGaps(scope, empty).checks).toEqual([...ran].sort())
      const lookedInto = ['A', 'B', 'C', '__proto__', 'constructor'].filter((name) =>
        all.some(({ excluded }) => !excluded.includes(name)),
      )
      const narrow = seen(all.length, { excluded: ['A', 'B', 'C', '__proto__', 'constructor'] })
      expect(findGaps(scope, narrow).namespaces).toEqual(lookedInto.sort())
    }),
  )
})
