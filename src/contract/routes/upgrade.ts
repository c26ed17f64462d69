import * as z from 'zod/mini'
import { none, type Route } from '../route.ts'
import { requiredText, text } from '../shape.ts'
import { UpgradeCheck, UpgradeCheckInput, UpgradePath, UpgradePlan } from '../upgrade.ts'

/** A minor version of Kubernetes, `latest` or `supported`; the next minor version by default. */
const target = z.optional(text(100))

export const upgradeRoutes = {
  getUpgradePlan: {
    method: 'GET',
    path: '/upgrade-plan',
    summary: 'Plan the upgrade of a cluster to another Kubernetes, in order',
    access: 'pro',
    role: 'viewer',
    heavy: true,
    params: none,
    query: z.object({ cluster_name: z.optional(text(200)), environment: z.optional(text(100)), to: target }),
    answer: UpgradePlan,
    audit: 'upgrade.plan',
    extension: true,
  },
  checkUpgrade: {
    method: 'POST',
    path: '/upgrade-check',
    summary: 'Check parts against another version of Kubernetes, without a cluster',
    access: 'public',
    heavy: true,
    params: none,
    query: none,
    body: UpgradeCheckInput,
    answer: UpgradeCheck,
    extension: true,
  },
  getUpgradePath: {
    method: 'GET',
    path: '/upgrade-path',
    summary: 'Show the way of one project to another version, without a cluster',
    access: 'public',
    params: none,
    query: z.object({ project: requiredText(200), version: requiredText(256), to: z.optional(text(256)) }),
    answer: UpgradePath,
    extension: true,
  },
} as const satisfies Record<string, Route>
