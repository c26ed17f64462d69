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

/** All nouns, in the order of the help. Each is loaded on demand. */
export const nouns: Record<string, Noun> = {
  reports: {
    group: 'everyday',
    summary: 'Upload, compare and inspect cluster scan reports',
    load: () => import('../commands/reports/noun.ts'),
  },
  findings: {
    group: 'everyday',
    summary: 'List, search and explain findings',
    load: () => import('../commands/findings/noun.ts'),
  },
  status: {
    group: 'everyday',
    summary: 'Show which clusters need attention, and why',
    load: () => import('../commands/status/index.ts'),
  },
  clusters: {
    group: 'everyday',
    summary: 'List, compare and manage clusters',
    load: () => import('../commands/clusters/noun.ts'),
  },
  impact: {
    group: 'everyday',
    summary: 'List workloads affected by a release or an advisory',
    load: () => import('../commands/impact/index.ts'),
  },
  upgrade: {
    group: 'everyday',
    summary: 'Plan upgrades of Kubernetes and of what runs on it, in order',
    load: () => import('../commands/upgrade/noun.ts'),
  },
  scan: {
    group: 'everyday',
    summary: 'Scan a cluster and store the report',
    load: () => import('../commands/scan/noun.ts'),
  },
  profiles: {
    group: 'everyday',
    summary: 'Manage scan profiles',
    load: () => import('../commands/profiles/noun.ts'),
  },
  agent: {
    group: 'everyday',
    summary: 'Run scans on schedule and upload their reports',
    load: () => import('../commands/agent/noun.ts'),
  },
  demo: {
    group: 'everyday',
    summary: 'Try relt with example reports in a temporary store',
    load: () => import('../commands/demo/index.ts'),
  },
  ci: {
    group: 'ci',
    summary: 'Upload a report, evaluate the gate and write CI reports',
    load: () => import('../commands/ci/index.ts'),
  },
  gate: {
    group: 'ci',
    summary: 'Check a run against the rules of a policy',
    load: () => import('../commands/gate/noun.ts'),
  },
  exceptions: {
    group: 'ci',
    summary: 'Manage exceptions of the gate',
    load: () => import('../commands/exceptions/noun.ts'),
  },
  projects: {
    group: 'releases',
    summary: 'Search projects and their releases',
    load: () => import('../commands/projects/noun.ts'),
  },
  feed: {
    group: 'releases',
    summary: 'List new releases, and publish them as Atom feeds and calendars',
    load: () => import('../commands/feed/noun.ts'),
  },
  catalog: {
    group: 'releases',
    summary: 'Sync, edit and publish the project catalog',
    load: () => import('../commands/catalog/noun.ts'),
  },
  auth: {
    group: 'account',
    summary: 'Sign in to servers and switch between them',
    load: () => import('../commands/auth/noun.ts'),
  },
  subs: {
    group: 'account',
    summary: 'Follow projects, and change what you hear of each',
    load: () => import('../commands/subs/noun.ts'),
  },
  webhooks: {
    group: 'account',
    summary: 'Set, verify and receive webhooks',
    load: () => import('../commands/webhooks/noun.ts'),
  },
  notify: {
    group: 'account',
    summary: 'Send, test, rehearse and list notifications',
    load: () => import('../commands/notify/noun.ts'),
  },
  teams: {
    group: 'account',
    summary: 'List your teams, and manage their members',
    load: () => import('../commands/teams/noun.ts'),
  },
  keys: {
    group: 'account',
    summary: 'Manage API keys',
    load: () => import('../commands/keys/noun.ts'),
  },
  apply: {
    group: 'account',
    summary: 'Apply subscriptions, labels, webhooks and profiles from a file',
    load: () => import('../commands/apply/index.ts'),
  },
  serve: {
    group: 'server',
    summary: 'Serve the API and web pages over HTTP',
    load: () => import('../commands/serve/index.ts'),
  },
  metrics: {
    group: 'server',
    summary: 'Print what is known of all clusters for Prometheus',
    load: () => import('../commands/metrics/index.ts'),
  },
  mcp: {
    group: 'server',
    summary: 'Answer an assistant over the Model Context Protocol',
    load: () => import('../commands/mcp/index.ts'),
  },
  admin: {
    group: 'server',
    summary: 'Manage users, keys, backups and retention of a store',
    load: () => import('../commands/admin/noun.ts'),
  },
  config: {
    group: 'other',
    summary: "Manage relt's settings on this machine",
    load: () => import('../commands/config/noun.ts'),
  },
  doctor: {
    group: 'other',
    summary: 'Check the setup of relt and suggest fixes',
    load: () => import('../commands/doctor/index.ts'),
  },
  owners: {
    group: 'more',
    summary: 'Set who owns which workloads',
    load: () => import('../commands/owners/noun.ts'),
  },
  spool: {
    group: 'more',
    summary: 'Manage queued uploads',
    load: () => import('../commands/spool/noun.ts'),
  },
  stats: {
    group: 'more',
    summary: 'Show catalog statistics',
    load: () => import('../commands/stats/index.ts'),
  },
  dashboard: {
    group: 'more',
    summary: 'Show an overview of your account',
    load: () => import('../commands/dashboard/noun.ts'),
  },
  sync: {
    group: 'more',
    summary: 'Copy runs, profiles and subscriptions between two servers',
    load: () => import('../commands/sync/noun.ts'),
  },
  plan: {
    group: 'more',
    summary: 'Show what `relt apply` would change',
    load: () => import('../commands/plan/index.ts'),
  },
  export: {
    group: 'more',
    summary: 'Export your account to a file for `relt apply`',
    load: () => import('../commands/export/index.ts'),
  },
  labels: {
    group: 'more',
    summary: 'Manage labels of subscriptions',
    load: () => import('../commands/labels/noun.ts'),
  },
  api: {
    group: 'more',
    summary: 'Make an API request',
    load: () => import('../commands/api/index.ts'),
  },
  openapi: {
    group: 'more',
    summary: 'Print the OpenAPI 3.1 description of the API',
    load: () => import('../commands/openapi/index.ts'),
  },
  alias: {
    group: 'more',
    summary: 'Manage command aliases',
    load: () => import('../commands/alias/noun.ts'),
  },
  completion: {
    group: 'more',
    summary: 'Generate a shell completion script',
    load: () => import('../commands/completion/index.ts'),
  },
  version: {
    group: 'more',
    summary: 'Show the version, licenses and SBOM of relt',
    load: () => import('../commands/version/index.ts'),
  },
}

export const isNoun = (name: string): boolean => Object.hasOwn(nouns, name)

export const isCommand = (name: string): boolean => name === 'help' || isNoun(name)
