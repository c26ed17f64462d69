import * as z from 'zod/mini'
import { toRoutes } from '../route.ts'
import { clusterChoice, requiredText, text } from '../shape.ts'
import { ProjectPath, UpgradeCheck, UpgradeCheckInput, UpgradePlan, UpgradeTarget } from '../upgrade.ts'
import { FleetUpgrade } from '../upgrade-fleet.ts'

/** Default: the next minor version. */
const target = z.optional(UpgradeTarget)

export const upgradeRoutes = toRoutes({
  getUpgradePlan: {
    method: 'GET',
    path: '/upgrade-plan',
    summary: 'Plan the upgrade of a cluster to another Kubernetes, in order',
    role: 'viewer',
    heavy: true,
    query: z.object({
      ...clusterChoice,
      run_id: z.optional(text(100)),
      to: target,
      /** Slugs of the projects to plan for, such as `keda,rancher`; default: all. */
      projects: z.optional(text(2000)),
    }),
    answer: UpgradePlan,
    audit: 'upgrade.plan',
    extension: true,
    components: { answer: 'UpgradePlan' },
  },
  getFleetUpgrade: {
    method: 'GET',
    path: '/upgrade-plans',
    summary: 'Plan the upgrade of several clusters, each step once',
    role: 'viewer',
    heavy: true,
    query: z.object({
      label: z.optional(text(100)),
      to: target,
      /**
       * Environments to upgrade first, such as `dev,staging`; others follow by the meaning of their names. Default: as set
       * on the server.
       */
      environments: z.optional(text(1000)),
    }),
    answer: FleetUpgrade,
    audit: 'upgrade.plans',
    extension: true,
    components: { answer: 'FleetUpgrade' },
  },
  checkUpgrade: {
    method: 'POST',
    path: '/upgrade-check',
    summary: 'Check parts against another version of Kubernetes, without a cluster',
    access: 'public',
    onlyReads: true,
    heavy: true,
    body: UpgradeCheckInput,
    answer: UpgradeCheck,
    extension: true,
    components: { body: 'UpgradeCheckInput', answer: 'UpgradeCheck' },
  },
  getUpgradePath: {
    method: 'GET',
    path: '/upgrade-path',
    summary: 'Show the way of one project to another version, without a cluster',
    access: 'public',
    query: z.object({ project: requiredText(200), version: requiredText(256), to: z.optional(text(256)) }),
    answer: ProjectPath,
    extension: true,
    cachedPublicly: true,
    components: { answer: 'ProjectPath' },
  },
})
