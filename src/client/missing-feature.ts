import { type RouteNoun, toNoun } from '../contract/nouns.ts'
import type { Route } from '../contract/route.ts'
import type { RouteName } from '../contract/routes.ts'
import { ReltError } from '../errors.ts'

interface Feature {
  /** Text after `This server has no`. */
  name: string
  /** An alternative that works on every server. */
  hint: string
}

const runs = 'It stores runs: relt reports list, relt reports show'

const ofNoun: Partial<Record<RouteNoun, Feature>> = {
  finding: {
    name: 'lists of findings',
    hint: 'Read those of a report: relt findings list, or relt reports show --report',
  },
  cluster: { name: 'routes for clusters', hint: 'It knows runs only: relt status, relt reports list' },
  exception: {
    name: 'exceptions',
    hint: 'Put them into a policy file: gate.exceptions in relt.yaml, for relt gate check',
  },
  team: { name: 'teams', hint: 'Everything belongs to your account there.' },
  impact: {
    name: 'answers about impact',
    hint: 'See what runs and how far behind it is: relt reports freshness --all',
  },
  upgrade: { name: 'upgrade plans', hint: 'See what runs and how far behind it is: relt reports freshness' },
  delivery: { name: 'list of messages', hint: 'See the log of deliveries: relt api GET /dashboard-logs' },
  notification: { name: 'signing secrets', hint: 'Check deliveries: relt notify test, relt api GET /dashboard-logs' },
  feed: { name: 'published feeds', hint: 'Read the feed here: relt feed' },
  agent: { name: 'list of agents', hint: 'Ask on the machine of the agent: relt agent status' },
  'gate-policy': { name: 'gate policies', hint: 'Put the rules into a file: gate.fail_on in relt.yaml' },
  owners: {
    name: 'owners of workloads',
    hint: 'Group findings by namespace: relt findings list --group-by namespace',
  },
  audit: { name: 'audit', hint: runs },
}

const ofRoute: Partial<Record<RouteName, Feature>> = {
  deleteReport: { name: 'way to delete runs', hint: 'Ask its operator to delete the run.' },
  recordGate: { name: 'record of verdicts', hint: 'The verdict stands without it: relt gate check' },
  takeInRun: { name: 'baselines', hint: 'Compare with another run: relt gate check --baseline RUN' },
  splitWorkload: {
    name: 'joins of renamed workloads',
    hint: 'It tells what is new by names alone: relt reports compare',
  },
  updateAccountSettings: {
    name: 'settings of the whole account',
    hint: 'Set them for each subscription: relt subs set PROJECT',
  },
  getCurrentKey: { name: 'description of the current key', hint: 'List your keys: relt keys list' },
  listMade: { name: 'record of what a key made', hint: 'List your keys: relt keys list' },
}

/** The server lacks a whole feature, rather than a single item. */
export class MissingFeature extends ReltError {}

/**
 * Names the feature that a server with only the published API lacks, instead of "no such route". Other errors are unchanged.
 * relt servers return their version, so outdated ones keep the hint about it.
 */
export function namingFeature(name: RouteName, route: Route, error: unknown): unknown {
  if (!route.extension || !(error instanceof ReltError)) return error
  if (error.code !== 'not_found' && error.code !== 'method_not_allowed') return error
  const { version, lacksRoute } = error.origin ?? {}
  if (version !== undefined && !lacksRoute) return error
  const feature = ofRoute[name] ?? ofNoun[toNoun[name]]
  if (!feature) return error
  return new MissingFeature('not_found', `This server has no ${feature.name}.`, {
    hint: version === undefined ? feature.hint : error.hint!,
    ...(error.origin && { origin: error.origin }),
    cause: error,
  })
}
