import { expect, test } from 'vitest'
import { divideRules } from '../../src/gate/divide-rules.ts'
import { parseRule } from '../../src/gate/rules.ts'
import { runWith } from './evidence.ts'

const none = { images: 0, helm_charts: 0, apps: 0 }
const inventory = runWith({ run_id: 'crun_a', artifacts: { images: 2, helm_charts: 0, apps: 0 } })
const bench = runWith({ run_id: 'crun_b', format: 'kube-bench', artifacts: none })
const sarif = runWith({ run_id: 'crun_c', format: 'sarif', artifacts: none })

const judgedBy = (rule: string, runs = [inventory, bench, sarif]) => [...divideRules([parseRule(rule)!], runs).keys()]

test('asks about artifacts only the runs that list them, where one does', () => {
  for (const rule of ['affected>=high', 'compromised', 'eol']) expect(judgedBy(rule)).toEqual([inventory])
  expect(judgedBy('compromised', [bench])).toEqual([bench])
})

test('asks about exploited vulnerabilities also the scanners that may find them', () => {
  expect(judgedBy('exploited')).toEqual([inventory, sarif])
})
