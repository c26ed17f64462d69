import { expect, test } from 'vitest'
import type { UpgradeStep } from '../../src/contract/upgrade.ts'
import { mergeSteps } from '../../src/upgrade/fleet.ts'

test('clusters of several offerings share no step of Kubernetes, whose support ends on other days', () => {
  const plan = (cluster_name: string, by: string) => {
    const step = {
      number: 1,
      hop: '1.35',
      kind: 'kubernetes',
      when: 'kubernetes',
      project_slug: 'kubernetes',
      name: 'Kubernetes',
      from: 'v1.34.1',
      via: [],
      to: 'v1.35.8',
      why: [],
      removed_apis: [],
      workloads: [],
      support: { cycle: '1.35', date: '2027-03-31', is_eol: false, by },
    } as unknown as UpgradeStep
    const steps = {
      verdict: 'ready' as const,
      catalog_date: '2026-08-22',
      kubernetes: 'v1.34.1',
      from: '1.34',
      to: '1.35',
      reasons: [],
      steps: [step],
    }
    return { cluster_name, environment: 'prod', run_id: cluster_name, plan: steps }
  }
  const merged = mergeSteps([plan('a', 'AKS'), plan('b', 'upstream'), plan('c', 'AKS')], [])
  expect(merged.map(({ clusters }) => clusters.map(({ cluster_name }) => cluster_name).join(' '))).toEqual(['a c', 'b'])
})
