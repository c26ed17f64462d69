import type { upgradeRoutes } from '../../../src/contract/routes/upgrade.ts'
import { noAdvisories } from '../../../src/contract/step.ts'

const at = '2026-08-21'
const keda = { project_slug: 'keda', name: 'KEDA', current_version: '2.18.3' }
const supports = (line: string, range: string) => ({
  ...{
    kind: 'supported',
    says: `KEDA ${line} supports Kubernetes ${range}.`,
    source: 'https://keda.sh/docs/',
    as_of: at,
  },
})
const evidence = [supports('2.18', '1.31 to 1.33'), supports('2.20', '1.33 to 1.35')]
const step = {
  ...{ number: 1, hop: '1.34', kind: 'part', when: 'before', project_slug: 'keda', name: 'KEDA', from: '2.18.3' },
  ...{ to: '2.20.2', via: [], why: evidence.map(({ says }) => says) },
  ...{ fixes: noAdvisories, breaks: [], removed_apis: [], manual: [], support: null, way_back: 'KEDA 2.18.3' },
  ...{ evidence: evidence.map((fact, why_line) => ({ ...fact, why_line })), workloads: [] },
}
const answer = {
  ...{ success: true, verdict: 'ready', catalog_date: at, kubernetes: '1.33', from: '1.33', to: '1.34', reasons: [] },
  parts: [{ ...keda, needs: 'upgrade_before', to_version: '2.20.2', via: [], evidence, coupled: true, workloads: [] }],
  hops: [
    {
      ...{ from: '1.33', to: '1.34', version: '1.34.11', support_before: null, support_after: null },
      ...{ removed_apis: [], rules: [], steps: [1] },
    },
  ],
  steps: [step],
  missing: [],
}
const basis = {
  ...{ cluster_name: 'shop', environment: 'prod', provider: 'eks', run_id: 'crun_1', seen_at: '2026-11-21 10:15:00' },
  ...{ artifacts: 1, parts_with_facts: 1, parts: 1, unknown: 0, managed: 0, others: 0 },
}

const place = { cluster_name: 'shop', environment: 'prod' }
const { evidence: _, workloads: __, ...fleetStep } = step

export const upgradeExamples: Record<keyof typeof upgradeRoutes, { answer: object }> = {
  getUpgradePlan: { answer: { ...answer, basis } },
  getFleetUpgrade: {
    answer: {
      ...{ success: true, catalog_date: at },
      summary: { clusters: 1, ready: 1, warnings: 0, blocked: 0, undetermined: 0 },
      clusters: [
        {
          ...{ ...place, run_id: 'crun_1', verdict: 'ready', kubernetes: '1.33', from: '1.33', to: '1.34' },
          ...{ steps: 1, reasons: [], total: 0 },
        },
      ],
      steps: [{ ...fleetStep, clusters: [{ ...place, hop: '1.34', when: 'before' }], workloads: 1 }],
      not_planned: [],
    },
  },
  checkUpgrade: {
    answer,
  },
  getUpgradePath: {
    answer: {
      ...{ success: true, catalog_date: at, project_slug: 'keda', name: 'KEDA', from: '2.18.3', to: '2.20.2' },
      ...{ because: [], steps: [{ ...step, hop: null, why: [], evidence: [] }] },
    },
  },
}
