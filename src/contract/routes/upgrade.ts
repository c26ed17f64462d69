import * as z from 'zod/mini'
import { none, type Route } from '../route.ts'
import { requiredText, text } from '../shape.ts'
import { noAdvisories } from '../step.ts'
import { ProjectPath, UpgradeCheck, UpgradeCheckInput, UpgradePlan, UpgradeTarget } from '../upgrade.ts'
import { FleetUpgrade } from '../upgrade-fleet.ts'

/** The next minor version by default. */
const target = z.optional(UpgradeTarget)

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
  ...{ to: '2.20.2', via: [], why: ['KEDA 2.18 supports Kubernetes 1.31 to 1.33.'] },
  ...{ fixes: noAdvisories, breaks: [], removed_apis: [], manual: [], support: null, way_back: 'KEDA 2.18.3' },
  ...{ evidence, workloads: [] },
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

export const upgradeRoutes = {
  getUpgradePlan: {
    method: 'GET',
    path: '/upgrade-plan',
    summary: 'Plan the upgrade of a cluster to another Kubernetes, in order',
    access: 'pro',
    role: 'viewer',
    heavy: true,
    params: none,
    query: z.object({
      cluster_name: z.optional(text(253)),
      environment: z.optional(text(100)),
      run_id: z.optional(text(100)),
      to: target,
      /** Slugs of the only projects to plan for, such as `keda,rancher`. */
      projects: z.optional(text(2000)),
    }),
    answer: UpgradePlan,
    audit: 'upgrade.plan',
    extension: true,
    components: { answer: 'UpgradePlan' },
    example: { query: { cluster_name: 'shop', to: '1.34' }, answer: { ...answer, basis } },
  },
  getFleetUpgrade: {
    method: 'GET',
    path: '/upgrade-plans',
    summary: 'Plan the upgrade of several clusters, each step once',
    access: 'pro',
    role: 'viewer',
    heavy: true,
    params: none,
    query: z.object({
      label: z.optional(text(100)),
      to: target,
      /** Environments to upgrade first, such as `dev,staging`; others follow by what their names say. By default those of the server's setting. */
      environments: z.optional(text(1000)),
    }),
    answer: FleetUpgrade,
    audit: 'upgrade.plans',
    extension: true,
    components: { answer: 'FleetUpgrade' },
    example: {
      query: { label: 'team-a', to: '1.34', environments: 'staging,prod' },
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
  },
  checkUpgrade: {
    method: 'POST',
    path: '/upgrade-check',
    summary: 'Check parts against another version of Kubernetes, without a cluster',
    access: 'public',
    onlyReads: true,
    heavy: true,
    params: none,
    query: none,
    body: UpgradeCheckInput,
    answer: UpgradeCheck,
    extension: true,
    components: { body: 'UpgradeCheckInput', answer: 'UpgradeCheck' },
    example: {
      body: { kubernetes: '1.33', to: '1.34', parts: [{ project_slug: 'keda', version: '2.18.3' }] },
      answer,
    },
  },
  getUpgradePath: {
    method: 'GET',
    path: '/upgrade-path',
    summary: 'Show the way of one project to another version, without a cluster',
    access: 'public',
    params: none,
    query: z.object({ project: requiredText(200), version: requiredText(256), to: z.optional(text(256)) }),
    answer: ProjectPath,
    extension: true,
    cachedPublicly: true,
    components: { answer: 'ProjectPath' },
    example: {
      query: { project: 'keda', version: '2.18.3', to: '2.20' },
      answer: {
        ...{ success: true, catalog_date: at, project_slug: 'keda', name: 'KEDA', from: '2.18.3', to: '2.20.2' },
        ...{ because: [], steps: [{ ...step, hop: null, why: [], evidence: [] }] },
      },
    },
  },
} as const satisfies Record<string, Route>
