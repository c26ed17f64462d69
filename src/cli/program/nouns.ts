import type { Declaration } from './verb.ts'

export interface Noun {
  /** Nouns in the group `more` are only listed by `relt help --all`. */
  group: keyof typeof groupTitles
  summary: string
  load: () => Promise<{ default: Declaration }>
}

export const groupTitles = {
  everyday: 'Everyday commands',
  ci: 'CI commands',
  releases: 'Release commands',
  account: 'Account commands',
  server: 'Server commands',
  other: 'Other commands',
  more: 'More commands',
}

const inGroup = (group: Noun['group'], nouns: Record<string, [summary: string, load: Noun['load']]>) =>
  Object.fromEntries(Object.entries(nouns).map(([name, [summary, load]]) => [name, { group, summary, load }]))

/** All nouns, in the order of the help. Each is loaded on demand. */
export const nouns: Record<string, Noun> = {
  ...inGroup('everyday', {
    reports: ['Upload, compare and inspect cluster scan reports', () => import('../commands/reports/noun.ts')],
    findings: ['List, search and explain findings', () => import('../commands/findings/noun.ts')],
    status: ['Show which clusters need attention, and why', () => import('../commands/status/index.ts')],
    clusters: ['List, compare and manage clusters', () => import('../commands/clusters/noun.ts')],
    impact: ['List workloads affected by a release or an advisory', () => import('../commands/impact/index.ts')],
    upgrade: [
      'Plan upgrades of Kubernetes and of what runs on it, in order',
      () => import('../commands/upgrade/noun.ts'),
    ],
    scan: ['Scan a cluster and store the report', () => import('../commands/scan/noun.ts')],
    profiles: ['Manage scan profiles', () => import('../commands/profiles/noun.ts')],
    agent: ['Run scans on schedule and upload their reports', () => import('../commands/agent/noun.ts')],
    demo: ['Try relt with example reports in a temporary store', () => import('../commands/demo/index.ts')],
  }),
  ...inGroup('ci', {
    ci: ['Upload a report, evaluate the gate and write CI reports', () => import('../commands/ci/index.ts')],
    gate: ['Check a run against the rules of a policy', () => import('../commands/gate/noun.ts')],
    exceptions: ['Manage exceptions of the gate', () => import('../commands/exceptions/noun.ts')],
  }),
  ...inGroup('releases', {
    projects: ['Search projects and their releases', () => import('../commands/projects/noun.ts')],
    feed: ['List new releases, and publish them as Atom feeds', () => import('../commands/feed/noun.ts')],
    catalog: ['Sync, edit and publish the project catalog', () => import('../commands/catalog/noun.ts')],
  }),
  ...inGroup('account', {
    auth: ['Sign in to servers and switch between them', () => import('../commands/auth/noun.ts')],
    subs: ['Follow projects, and change what you hear of each', () => import('../commands/subs/noun.ts')],
    webhooks: ['Set webhooks, and renew their signing secrets', () => import('../commands/webhooks/noun.ts')],
    notify: ['Send, test, preview and list notifications', () => import('../commands/notify/noun.ts')],
    teams: ['Manage teams, which share clusters and scan profiles', () => import('../commands/teams/noun.ts')],
    keys: ['Manage API keys', () => import('../commands/keys/noun.ts')],
    apply: [
      'Apply subscriptions, labels, webhooks and profiles from a file',
      () => import('../commands/apply/index.ts'),
    ],
  }),
  ...inGroup('server', {
    serve: ['Serve the API and web pages over HTTP', () => import('../commands/serve/index.ts')],
    metrics: ['Print what is known of all clusters for Prometheus', () => import('../commands/metrics/index.ts')],
    mcp: ['Answer an assistant over the Model Context Protocol', () => import('../commands/mcp/index.ts')],
    admin: ['Manage users, backups and retention of a store', () => import('../commands/admin/noun.ts')],
  }),
  ...inGroup('other', {
    config: ["Manage relt's settings on this machine", () => import('../commands/config/noun.ts')],
    doctor: ['Check the setup of relt and suggest fixes', () => import('../commands/doctor/index.ts')],
  }),
  ...inGroup('more', {
    subjects: ['List and end images, folders and tools of clusters', () => import('../commands/subjects/noun.ts')],
    owners: ['Set who owns which workloads', () => import('../commands/owners/noun.ts')],
    spool: ['Manage queued uploads', () => import('../commands/spool/noun.ts')],
    stats: ['Show catalog statistics', () => import('../commands/stats/index.ts')],
    dashboard: [
      'Show plan, limits, webhooks and labels of your account',
      () => import('../commands/dashboard/index.ts'),
    ],
    export: ['Export your account to a file for `relt apply`', () => import('../commands/export/index.ts')],
    labels: ['Manage labels of subscriptions', () => import('../commands/labels/noun.ts')],
    api: ['Make an API request', () => import('../commands/api/index.ts')],
    openapi: ['Print the OpenAPI 3.1 description of the API', () => import('../commands/openapi/index.ts')],
    completion: ['Generate a shell completion script', () => import('../commands/completion/index.ts')],
    version: ['Show the version, licenses and SBOM of relt', () => import('../commands/version/index.ts')],
  }),
}
