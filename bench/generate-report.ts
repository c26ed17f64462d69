/**
 * A scan report of any size, in the proportions of a real one: each workload has two pods with a container of its own
 * and a sidecar each, and a check that it fails lists them one after the other.
 *
 *   node bench/generate-report.ts <findings> [seed] [changed] > report.json
 *
 * `changed` (0 to 1) is the share of workloads whose findings differ from those of the same seed without it.
 */
import { writeFileSync } from 'node:fs'

const safe = 'bcdfghjklmnpqrstvwxz2456789'
const checks = [
  [
    'SEC003',
    'Pods Running as Root',
    'critical',
    'Pod',
    (c: string) =>
      `Container ${c} runs as root or has no runAsUser set, neither by itself nor by the security context of the pod that it belongs to`,
    'Not Set (Defaults to root)',
  ],
  [
    'SEC006',
    'Pods Missing Secure Defaults',
    'warning',
    'Pod',
    (c: string) =>
      `Container ${c} has no securityContext defined, so it runs with whatever the defaults of the container runtime are`,
    'Missing securityContext',
  ],
  [
    'SEC009',
    'Missing Capabilities Drop',
    'warning',
    'Pod',
    (c: string) =>
      `Container ${c} does not drop ALL capabilities, and keeps those that the container runtime grants by default`,
    null,
  ],
  [
    'SEC014',
    'Untrusted Image Registries',
    'critical',
    'Pod',
    (c: string) =>
      `Image from untrusted registry in container ${c}: add the registry to the trusted ones or mirror the image`,
    'registry.corp.example/team/app:1.4.2',
  ],
  [
    'SEC020',
    'Seccomp Profile Not Configured',
    'warning',
    'Pod',
    (c: string) =>
      `Container ${c} has no explicit seccomp profile, neither by itself nor by the security context of its pod`,
    null,
  ],
  [
    'POD001',
    'Pods Restarting Often',
    'warning',
    'Pod',
    (c: string, n: number) =>
      `Container ${c} restarted ${n % 90} times in the last ${n % 24}h, more often than the threshold of this check allows`,
    '17',
  ],
  [
    'POD008',
    'Automounting API Credentials',
    'warning',
    'Pod',
    () =>
      'Pod automounts API credentials though none of its containers talks to the API server of the cluster that it runs in',
    '<nil>',
  ],
  [
    'WRK002',
    'Deployment Missing Replicas',
    'warning',
    'Deployment',
    () =>
      'Deployment has fewer available replicas than desired. Look at its events and at the events of the pods it owns for the reason.',
    '0/1',
  ],
  [
    'RBAC002',
    'RBAC Overexposure',
    'critical',
    'ClusterRoleBinding',
    (c: string) =>
      `Binding of ${c} gives access to secrets and other sensitive resources in every namespace of the cluster`,
    'ServiceAccount/default',
  ],
  [
    'EVENT002',
    'Full Warning Event Log',
    'warning',
    'Pod',
    (_: string, n: number) =>
      `0/${n % 9} nodes are available: ${n % 9} node(s) had untolerated taint {CriticalAddonsOnly: true}. preemption: 0/${n % 9} nodes are available: Preemption is not helpful for scheduling.`,
    null,
  ],
] as const

interface ReportOptions {
  findings: number
  seed?: number
  changed?: number
  generatedAt?: string
  /** Each row has a pod of its own, seven of a workload for each check: much more to read than names that repeat. */
  podEach?: boolean
}

export function generateReport(options: ReportOptions) {
  const { findings, seed = 1, changed = 0, generatedAt = '2026-06-01T10:00:00Z', podEach = false } = options
  const random = generator(seed)
  const rollout = generator(seed * 7919 + Math.round(changed * 1e6))
  const perCheck = Math.ceil(findings / checks.length)
  const rowsEach = podEach ? 7 : 4
  const workloads = Math.ceil(perCheck / rowsEach)
  const names = Array.from({ length: workloads }, (_, i) => `${word(random)}-${word(random)}-${word(random)}-${i}`)
  const moved = names.map(() => rollout() < changed)
  const pods = names.map(() => {
    const hash = suffix(rollout, 9)
    return [`${hash}-${suffix(rollout, 5)}`, `${hash}-${suffix(rollout, 5)}`]
  })
  const report: Record<string, unknown> = {}
  let left = findings
  for (const [id, name, severity, kind, message, value] of checks) {
    const items = []
    for (let i = 0; i < perCheck && left > 0; i++, left--) {
      const workload = Math.floor(i / rowsEach)
      const service = moved[workload] ? `${names[workload]}-next` : names[workload]!
      const pod = podEach ? `${suffix(rollout, 9)}-${suffix(rollout, 5)}` : pods[workload]![Math.floor(i / 2) % 2]
      items.push({
        Namespace: kind === 'ClusterRoleBinding' ? '🌍 Cluster-Wide' : `team-${workload % 97}-production`,
        Resource: kind === 'Pod' || podEach ? `pod/${service}-${pod}` : `${kind}/${service}`,
        ...(value === null ? {} : { Value: value }),
        Message: message(i % 2 === 0 ? service : 'istio-proxy', Math.floor(rollout() * 1000)),
      })
    }
    report[id] = {
      ID: id,
      Name: name,
      Category: 'Security',
      Section: 'Security',
      Severity: severity,
      Weight: 3,
      ResourceKind: kind,
      Total: items.length,
      Items: items,
      Recommendation: 'Read the documentation of the check.',
      URL: 'https://kubernetes.io/docs/concepts/',
    }
  }
  return {
    metadata: {
      clusterName: `generated-${seed}`,
      kubernetesVersion: 'v1.33.6',
      generatedAt,
      excludeNamespacesEnabled: true,
      excludedNamespaces: ['kube-system', 'kube-public'],
      score: 60 + (findings % 30),
    },
    checks: report,
  }
}

/** Numbers from 0 to 1, the same ones for a seed. */
export function generator(seed: number): () => number {
  let state = seed >>> 0 || 1
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

function suffix(random: () => number, length: number): string {
  return Array.from({ length }, () => safe[Math.floor(random() * safe.length)]).join('')
}

function word(random: () => number): string {
  const words = [
    'orders',
    'billing',
    'search',
    'catalog',
    'payments',
    'ledger',
    'gateway',
    'profile',
    'session',
    'media',
  ]
  return words[Math.floor(random() * words.length)]!
}

if (import.meta.main) {
  const [findings = '1000', seed = '1', changed = '0'] = process.argv.slice(2)
  writeFileSync(
    1,
    JSON.stringify(generateReport({ findings: Number(findings), seed: Number(seed), changed: Number(changed) })),
  )
}
