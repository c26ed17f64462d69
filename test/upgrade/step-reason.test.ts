import { expect, test } from 'vitest'
import type { StepEvidence, UpgradeStep } from '../../src/contract/upgrade.ts'
import { explainStep } from '../../src/upgrade/step-reason.ts'
import { whyFacts } from '../../src/views/upgrade.ts'
import { openCatalogService } from '../operations/service.ts'

const fact = (says: string): StepEvidence => ({ kind: 'rule', says, source: 'https://a.example/', as_of: null })

test('a line has the fact that the planner names, whatever the words of either', () => {
  const [range, other] = [fact('KEDA 2.18 supports Kubernetes 1.31 to 1.33.'), fact('It fixes 2 advisories.')]
  const reasons = [
    { says: `Out of its range now: ${range.says}`, fact: range },
    { says: 'It fixes 2 advisories.' },
    { says: 'Drain a node first.', fact: fact('Drain a node first.') },
  ]
  const { why, others } = whyFacts(explainStep(reasons, [other]))
  expect(why.map(({ fact }) => fact?.says)).toEqual([range.says, undefined, 'Drain a node first.'])
  expect(others).toEqual([other])
})

test('lines about kubelets come first and have no fact', () => {
  const step = { ...explainStep([{ says: 'a', fact: fact('b') }]), kubelets: [{ version: '1.30', nodes: 3 }] }
  expect(whyFacts(step).why.map(({ line, fact }) => [line, fact?.says])).toEqual([
    ['3 nodes run 1.30.', undefined],
    ['a', 'b'],
  ])
})

test('without the field of a newer server, every fact is listed', () => {
  const step = { why: ['a'], evidence: [fact('a')] }
  expect(whyFacts(step)).toEqual({ why: [{ line: 'a', fact: undefined }], others: [fact('a')] })
})

/** Lines that end in the words of a fact. */
const quotes = ({ why, evidence }: UpgradeStep) =>
  why.flatMap((line, index) => {
    const found = evidence.filter(({ says }) => line.endsWith(says)).map(({ says }) => says)
    const named = evidence.filter(({ why_line }) => why_line === index).map(({ says }) => says)
    return found.length > 0 || named.length > 0 ? [{ line, found, named }] : []
  })

test('every line of a plan that quotes a fact names it', async () => {
  const { call, upload } = await openCatalogService()
  const parts = [
    { project_slug: 'keda', version: '2.18.3' },
    { project_slug: 'cert-manager', version: '1.18.2' },
    { project_slug: 'rook', version: '1.16.0' },
  ]
  const plans = await Promise.all(
    [
      ['1.36', '1.36'],
      ['1.33', '1.36'],
    ].map(([kubernetes, to]) => call('checkUpgrade', { body: { kubernetes: kubernetes!, to: to!, parts } })),
  )
  const nodes = [{ name: 'a', kubelet: 'v1.32.1-eks-1', os: null, runtime: null }]
  const report = {
    metadata: { kubernetesVersion: 'v1.33.10-eks-ba2e9a1', clusterName: 'shop', aks: 'EKS' },
    artifacts: { images: [], helmCharts: [], nodes },
    checks: {},
  }
  await upload([], { report, body: { cluster: { name: 'shop', environment: 'prod' } } })
  const ofCluster = await call('getUpgradePlan', { query: { cluster_name: 'shop', to: '1.34' } })
  const lines = [...plans, ofCluster].flatMap(({ steps }) => steps.flatMap(quotes))
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.some(({ line }) => line.startsWith('Out of its range now: '))).toBe(true)
  for (const { line, found, named } of lines) expect([line, named]).toEqual([line, found])
})
