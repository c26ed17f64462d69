import { type RouteNoun, toNoun } from '../nouns.ts'
import type { RouteName } from '../routes.ts'

export const tags = {
  Catalog: 'Projects, their releases and what these fix. Open to everyone; to add to it, be an admin.',
  Reports: 'Scan reports of your clusters: upload, compare, trends, and how fresh is what runs.',
  Clusters: 'Your clusters with their figures, and what runs where. All of it is an extension.',
  Profiles: 'Scan profiles: settings of a scan, and the commands and files made of them.',
  Agents: 'Agents that run scans on schedule, and clusters from which no report comes.',
  Subscriptions: 'Projects that you follow, their releases, and how you are notified.',
  Labels: 'Your own names for groups of subscriptions.',
  Exceptions: 'What the gate accepts until a day, and why.',
  Teams: 'Your teams and their members. What a team has, its members share.',
  Keys: 'Application passwords for programs.',
  Session: 'Sign-in of browsers, and several requests in one.',
  Operations:
    'This document. Probes (`/healthz`, `/readyz`) and metrics (`/metrics`) are at the root of the server, outside the interface.',
}

export type Tag = keyof typeof tags

const tagsOfNouns: Record<RouteNoun, Tag> = {
  project: 'Catalog',
  release: 'Catalog',
  'cluster-report': 'Reports',
  finding: 'Reports',
  cluster: 'Clusters',
  impact: 'Reports',
  upgrade: 'Clusters',
  exception: 'Exceptions',
  owners: 'Reports',
  'gate-baseline': 'Reports',
  'gate-policy': 'Reports',
  'cluster-config': 'Profiles',
  agent: 'Agents',
  subscription: 'Subscriptions',
  notification: 'Subscriptions',
  delivery: 'Subscriptions',
  label: 'Labels',
  team: 'Teams',
  'api-key': 'Keys',
  feed: 'Subscriptions',
  audit: 'Operations',
}

export const toTag = (name: RouteName): Tag => tagsOfNouns[toNoun[name]]
