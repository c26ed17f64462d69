import type { RouteName } from '../routes.ts'

export const tags = {
  Catalog: 'Projects, their releases and what these fix. Open to everyone; to add to it, be an admin.',
  Reports: 'Scan reports of your clusters: upload, compare, trends, and how fresh is what runs.',
  Profiles: 'Scan profiles: settings of a scan, and the commands and files made of them.',
  Subscriptions: 'Projects that you follow, their releases, and how you are notified.',
  Labels: 'Your own names for groups of subscriptions.',
  Keys: 'Application passwords for programs.',
  Session: 'Sign-in of browsers, and several requests in one.',
  Operations:
    'This document. Probes (`/healthz`, `/readyz`) and metrics (`/metrics`) are at the root of the server, outside the interface.',
}

export type Tag = keyof typeof tags

/** The first word of an address says whose it is. */
const tagsOfPaths: Record<string, Tag> = {
  'cluster-reports': 'Reports',
  impact: 'Reports',
  'cluster-configs': 'Profiles',
  projects: 'Catalog',
  product: 'Catalog',
  stats: 'Catalog',
  'recent-releases': 'Catalog',
  'popular-projects': 'Catalog',
  'add-release': 'Catalog',
  'sync-projects': 'Catalog',
  'existing-releases': 'Catalog',
  labels: 'Labels',
  'api-keys': 'Keys',
}

export function tagOf(path: string): Tag {
  if (path.endsWith('/labels') || path.includes('/labels/')) return 'Labels'
  return tagsOfPaths[path.split('/')[1]!] ?? 'Subscriptions'
}

interface Link {
  to: RouteName
  /** Parameter → where the answer has it. */
  parameters: Record<string, string>
}

const one = (name: string, pointer: string, ...targets: RouteName[]): Link[] =>
  targets.map((to) => ({ to, parameters: { [name]: `$response.body#/${pointer}` } }))

/** From what creates to what reads or changes. An answer that may lack the id has none: tools report that as a fault. */
export const links: Partial<Record<RouteName, Link[]>> = {
  addRelease: one('release_id', 'release_id', 'getImpact'),
  uploadReport: [
    ...one('run_id', 'run_id', 'getReport', 'reportFreshness', 'deleteReport'),
    ...one('to_run_id', 'run_id', 'compareReports'),
  ],
  toggleSubscription: one('subscription_id', 'subscription_id', 'attachLabels'),
  createLabel: one('id', 'label_id', 'updateLabel', 'deleteLabel'),
  createKey: one('uuid', 'item/uuid', 'revokeKey'),
  createConfig: one(
    'config_id',
    'config_id',
    'getConfig',
    'updateConfig',
    'getConfigCommand',
    'getConfigFile',
    'deleteConfig',
  ),
}

/** Summaries of routes whose names do not say enough. */
export const summaries: Partial<Record<RouteName, string>> = {
  getProduct: 'Get project (older address)',
  getStats: 'Count projects, releases and security fixes',
  listExistingReleases: 'List releases of the catalog without their details',
  addRelease: 'Add or update a release',
  syncProjects: 'Add or update projects by their names',
  uploadReport: 'Upload a report',
  compareReports: 'Compare two runs of a cluster',
  reportTrends: 'List scores and findings over time',
  getCurrentKey: 'Get the caller and its key',
  getReport: 'Get run',
  listReports: 'List runs of a cluster',
  deleteReport: 'Delete run with its report',
  reportFreshness: 'List what runs, and how far behind it is',
  getImpact: 'List workloads affected by a release or an advisory',
  getMySubscriptions: 'List ids of the projects that you follow',
  getFeed: 'List recent releases of the projects that you follow',
  toggleSubscription: 'Subscribe to a project, or end the subscription',
  sendTestNotification: 'Test notification (older address)',
  triggerDigest: 'Send the digest now',
  listConfigs: 'List scan profiles',
  createConfig: 'Create scan profile',
  getConfig: 'Get scan profile',
  updateConfig: 'Update scan profile',
  deleteConfig: 'Delete scan profile',
  getConfigCommand: 'Get the commands of a scan profile',
  getConfigFile: 'Get the configuration file of a scan profile',
  bootstrapConfigs: 'Create scan profiles from reports',
}
