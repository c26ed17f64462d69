import { describe, expect, test } from 'vitest'
import { joinLooks } from '../../src/reports/carry-over.ts'
import { findMissed, withFaults } from '../../src/reports/missed.ts'
import type { Look } from '../../src/reports/run-findings.ts'

interface Seen {
  checks?: string[]
  notRun?: string[]
  excluded?: string[]
  included?: string[]
  unread?: string[]
  parts?: string[]
}

const toLook = ({ checks = [], notRun = [], excluded = [], included, unread = [], parts }: Seen): Look => ({
  subjects: [],
  scope: {
    checkIds: checks,
    excludedNamespaces: excluded,
    ...(included && { includedNamespaces: included }),
    unreadKinds: unread.map((kind) => ({ kind, category: '*', reason: 'forbidden' })),
    ...(parts && { parts }),
  },
  checksNotRun: notRun.map((id) => ({ id, name: id, reason: 'forbidden' })),
})

/** What the last of several runs missed. */
function missedBy(...all: Seen[]) {
  const looks = all.map(toLook)
  const known = looks.reduce((before, now) => joinLooks(before, now))
  return findMissed({ ...looks.at(-1)!, known })
}

const nothing = { checks: [], parts: [], namespaces: [], kinds: [], notRun: [] }

describe('what earlier runs read', () => {
  test.each<[string, Seen, Seen, Partial<typeof nothing> | object]>([
    ['a check that is gone', { checks: ['A', 'B'] }, { checks: ['B'] }, { checks: ['A'] }],
    ['a check that fails now', { checks: ['A'] }, { checks: ['A'], notRun: ['A'] }, { notRun: ['A'] }],
    ['a class of results', { parts: ['vuln', 'secret'] }, { parts: ['vuln'] }, { parts: ['secret'] }],
    ['an excluded namespace', {}, { excluded: ['shop'] }, { namespaces: ['shop'] }],
    ['a namespace of a list', { included: ['a', 'b'] }, { included: ['a'] }, { namespaces: ['b'] }],
    ['a kind of reports', {}, { unread: ['Rbac'] }, { kinds: ['Rbac'] }],
  ])('stays expected: %s', (_, before, now, missed) => {
    expect(missedBy(before, now)).toEqual({ ...nothing, ...missed })
    expect(missedBy(before, now, now)).toEqual({ ...nothing, ...missed })
    expect(missedBy(before, now, before)).toEqual(nothing)
    expect(missedBy(now, now)).toEqual(nothing)
  })

  test('is not what a newer version of the scanner withdrew', () => {
    const [before, now] = [toLook({ checks: ['A', 'B'] }), toLook({ checks: ['B'] })]
    expect(findMissed({ ...now, known: joinLooks(before, now, true) })).toEqual(nothing)
  })
})

test('a check that an earlier scan ran may hide findings, so its fault is not marked', () => {
  const net019 = { id: 'NET019', name: 'A check', reason: 'Unable to check due to: unsupported operator "exists"' }
  const faultsIn = (notRun: string[]) => withFaults([net019], { notRun }).filter(({ fault }) => fault).length
  expect([faultsIn([]), faultsIn(['NET019'])]).toEqual([1, 0])
})
