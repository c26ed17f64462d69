import type { Command } from 'commander'
import type { Context } from '../../context.ts'

type Load = (context: Context) => Promise<Command>

export interface Noun {
  group: keyof typeof groupTitles
  summary: string
  load: Load
  /** Runs without a verb, too. */
  hasDefaultVerb?: true
}

export const groupTitles = {
  everyday: 'Everyday commands',
  ci: 'CI commands',
  releases: 'Release commands',
  account: 'Account commands',
  server: 'Server commands',
  other: 'Other commands',
}

/** Every noun, in the order of the help. Only the one that is called is loaded. */
export const nouns: Record<string, Noun> = {
  reports: {
    group: 'everyday',
    summary: 'Upload, compare and inspect cluster scan reports',
    load: async (context) => (await import('../commands/reports/index.ts')).createReportsCommand(context),
  },
  findings: {
    group: 'everyday',
    summary: 'List, search and explain findings',
    load: async (context) => (await import('../commands/findings/index.ts')).createFindingsCommand(context),
  },
  status: {
    group: 'everyday',
    summary: 'Show which clusters need attention, and why',
    load: async (context) => (await import('../commands/status/index.ts')).createCommand(context),
  },
  clusters: {
    group: 'everyday',
    summary: 'List, compare and manage clusters',
    load: async (context) => (await import('../commands/clusters/index.ts')).createClustersCommand(context),
  },
  impact: {
    group: 'everyday',
    summary: 'List workloads affected by a release or an advisory',
    load: async (context) => (await import('../commands/impact/index.ts')).createCommand(context),
  },
  scan: {
    group: 'everyday',
    summary: 'Scan a cluster and store the report',
    load: async (context) => (await import('../commands/scan/index.ts')).createScanCommand(context),
  },
  profiles: {
    group: 'everyday',
    summary: 'Manage scan profiles',
    load: async (context) => (await import('../commands/profiles/index.ts')).createProfilesCommand(context),
  },
  agent: {
    group: 'everyday',
    summary: 'Run scans on schedule and upload their reports',
    load: async (context) => (await import('../commands/agent/index.ts')).createAgentCommand(context),
  },
  demo: {
    group: 'everyday',
    summary: 'Try relt with example reports in a temporary store',
    load: async (context) => (await import('../commands/demo/index.ts')).createCommand(context),
  },
  ci: {
    group: 'ci',
    summary: 'Upload a report, evaluate the gate and write CI reports',
    load: async (context) => (await import('../commands/ci/index.ts')).createCommand(context),
  },
  gate: {
    group: 'ci',
    summary: 'Check a run against the rules of a policy',
    load: async (context) => (await import('../commands/gate/index.ts')).createGateCommand(context),
  },
  exceptions: {
    group: 'ci',
    summary: 'Manage exceptions of the gate',
    load: async (context) => (await import('../commands/exceptions/index.ts')).createExceptionsCommand(context),
  },
  spool: {
    group: 'ci',
    summary: 'Manage queued uploads',
    load: async (context) => (await import('../commands/spool/index.ts')).createSpoolCommand(context),
  },
  projects: {
    group: 'releases',
    summary: 'Search projects and their releases',
    load: async (context) => (await import('../commands/projects/index.ts')).createProjectsCommand(context),
  },
  feed: {
    group: 'releases',
    summary: 'List new releases of the projects you subscribe to',
    load: async (context) => (await import('../commands/feed/index.ts')).createCommand(context),
  },
  feeds: {
    group: 'releases',
    summary: 'Manage addresses of Atom and calendar feeds',
    load: async (context) => (await import('../commands/feeds/index.ts')).createFeedsCommand(context),
  },
  stats: {
    group: 'releases',
    summary: 'Show catalog statistics',
    load: async (context) => (await import('../commands/stats/index.ts')).createCommand(context),
  },
  catalog: {
    group: 'releases',
    summary: 'Sync, edit and publish the project catalog',
    load: async (context) => (await import('../commands/catalog/index.ts')).createCatalogCommand(context),
  },
  auth: {
    group: 'account',
    summary: 'Sign in to servers and switch between them',
    load: async (context) => (await import('../commands/auth/index.ts')).createAuthCommand(context),
  },
  dashboard: {
    group: 'account',
    summary: 'Show an overview of your account',
    load: async (context) => (await import('../commands/dashboard/index.ts')).createDashboardCommand(context),
    hasDefaultVerb: true,
  },
  subs: {
    group: 'account',
    summary: 'Manage release subscriptions and their notifications',
    load: async (context) => (await import('../commands/subs/index.ts')).createSubsCommand(context),
  },
  webhooks: {
    group: 'account',
    summary: 'Set, verify and receive webhooks',
    load: async (context) => (await import('../commands/webhooks/index.ts')).createWebhooksCommand(context),
  },
  notify: {
    group: 'account',
    summary: 'Send, rehearse and preview notifications',
    load: async (context) => (await import('../commands/notify/index.ts')).createNotifyCommand(context),
  },
  deliveries: {
    group: 'account',
    summary: 'List, retry and drop notifications',
    load: async (context) => (await import('../commands/deliveries/index.ts')).createDeliveriesCommand(context),
  },
  labels: {
    group: 'account',
    summary: 'Manage labels of subscriptions',
    load: async (context) => (await import('../commands/labels/index.ts')).createLabelsCommand(context),
  },
  teams: {
    group: 'account',
    summary: 'List your teams, and manage their members',
    load: async (context) => (await import('../commands/teams/index.ts')).createTeamsCommand(context),
  },
  keys: {
    group: 'account',
    summary: 'Manage API keys',
    load: async (context) => (await import('../commands/keys/index.ts')).createKeysCommand(context),
  },
  plan: {
    group: 'account',
    summary: 'Show what `relt apply` would change',
    load: async (context) => (await import('../commands/plan/index.ts')).createCommand(context),
  },
  apply: {
    group: 'account',
    summary: 'Apply subscriptions, labels, webhooks and profiles from a file',
    load: async (context) => (await import('../commands/apply/index.ts')).createCommand(context),
  },
  export: {
    group: 'account',
    summary: 'Export your account to a file for `relt apply`',
    load: async (context) => (await import('../commands/export/index.ts')).createCommand(context),
  },
  sync: {
    group: 'account',
    summary: 'Copy runs, profiles and subscriptions between two servers',
    load: async (context) => (await import('../commands/sync/index.ts')).createSyncCommand(context),
  },
  serve: {
    group: 'server',
    summary: 'Serve the API and web pages over HTTP',
    load: async (context) => (await import('../commands/serve/index.ts')).createCommand(context),
  },
  admin: {
    group: 'server',
    summary: 'Manage users, keys, backups and retention of a store',
    load: async (context) => (await import('../commands/admin/index.ts')).createAdminCommand(context),
  },
  openapi: {
    group: 'server',
    summary: 'Print the OpenAPI 3.1 description of the API',
    load: async (context) => (await import('../commands/openapi/index.ts')).createCommand(context),
  },
  api: {
    group: 'other',
    summary: 'Make an API request',
    load: async (context) => (await import('../commands/api/index.ts')).createCommand(context),
  },
  alias: {
    group: 'other',
    summary: 'Manage command aliases',
    load: async (context) => (await import('../commands/alias/index.ts')).createAliasCommand(context),
  },
  config: {
    group: 'other',
    summary: "Manage relt's settings on this machine",
    load: async (context) => (await import('../commands/config/index.ts')).createConfigCommand(context),
  },
  doctor: {
    group: 'other',
    summary: 'Check the setup of relt and suggest fixes',
    load: async (context) => (await import('../commands/doctor/index.ts')).createCommand(context),
  },
  completion: {
    group: 'other',
    summary: 'Generate a shell completion script',
    load: async (context) => (await import('../commands/completion/index.ts')).createCommand(context),
  },
  version: {
    group: 'other',
    summary: 'Show the version, licenses and SBOM of relt',
    load: async (context) => (await import('../commands/version/index.ts')).createCommand(context),
  },
}

/** Earlier names of nouns, which still work. */
export const formerNouns: Record<string, string> = { configs: 'profiles' }

export const isNoun = (name: string): boolean => Object.hasOwn(nouns, name) || Object.hasOwn(formerNouns, name)

export const isCommand = (name: string): boolean => name === 'help' || isNoun(name)
