import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { createLocalClient } from '../../src/client/local.ts'
import { type Route, type RouteName, routes } from '../../src/contract/routes.ts'
import { ReltError } from '../../src/errors.ts'
import { addMember } from '../../src/operations/accounts/grant.ts'
import { openService } from '../../src/service/service.ts'
import { addTeam } from '../../src/store/accounts/team.ts'
import { addUser, findUser, getLocalUser } from '../../src/store/accounts/user.ts'
import { exampleFile, nativeReportFile } from '../helpers/report.ts'
import { now } from '../operations/service.ts'
import { renamedJobs } from '../reports/renamed-job.ts'
import { scan, toBytes } from '../reports/scan.ts'

type Input = { params?: object; query?: object; body?: object; report?: Uint8Array; idempotencyKey?: string }

let client: Client
let home: string
/** Ids of the runs of the example reports, oldest first, and of a real native one. */
const runs: string[] = []

const call = (name: string, input: Input = {}) => client.call(name as RouteName, input as never) as Promise<unknown>

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'relt-test-'))
  client = await createLocalClient({
    env: { RELT_HOME: home, RELT_KEYCHAIN: 'off', RELT_DELIVERY: 'off' },
    now: () => now,
  })
  for (const file of [exampleFile(1), exampleFile(2), exampleFile(3), nativeReportFile]) {
    const { run_id } = await client.call('uploadReport', { body: {}, report: readFileSync(file) })
    runs.push(run_id)
  }
})
afterAll(async () => {
  await client.close()
  rmSync(home, { recursive: true, force: true })
})

const shop = { cluster_name: 'shop-prod' }
const envelope = {
  source: 'kubebuddy',
  source_version: '1.0',
  environment: 'staging',
  cluster: { name: 'blue', provider: 'aks', region: 'uksouth' },
  run: { started_at: '2026-08-30T00:00:00Z', finished_at: '', duration_seconds: 5.5 },
  ci: { provider: 'github', repository: 'a/b', commit: 'c', branch: 'main', build_url: 'https://ci.example/1' },
}

/** The input, once something else has been done. */
const after =
  (work: () => Promise<unknown>, input: Input = {}) =>
  async () => {
    await work()
    return input
  }

const projectFor = { params: { id: '1' } }

/** Id of a subscription to the project, made when there is none. */
async function subscribe(product_id: number): Promise<number> {
  const { subscriptions } = await client.call('listSubscriptions', {})
  const known = subscriptions.find((subscription) => subscription.product_id === product_id)
  const { id } = known ?? { id: (await client.call('toggleSubscription', { body: { product_id } })).subscription_id }
  return id!
}

let labels = 0
async function newLabel(): Promise<number> {
  const body = { label_name: `label ${labels++}`, label_color: '#1f6feb' }
  return (await client.call('createLabel', { body })).label_id
}

/** Path of a subscription with a label of its own. */
async function labelled() {
  const [subscription_id, label_id] = [await subscribe(1), await newLabel()]
  await client.call('attachLabels', {
    params: { subscription_id: String(subscription_id) },
    body: { label_ids: [label_id] },
  })
  return { subscription_id: String(subscription_id), label_id: String(label_id) }
}

const profile = {
  name: 'Prod',
  cluster_name: 'prod-eu',
  provider: 'aks',
  settings: { thresholds: { cpu_warning: 60 } },
}
async function configPath() {
  const { config_id } = await client.call('createConfig', { body: profile as never })
  return { params: { config_id } }
}

const exception = { check: 'SEC001', all_clusters: true, reason: 'Moves in October', expires_on: '2026-10-31' }
async function exceptionPath() {
  const { exception_id } = await client.call('createException', { body: exception })
  return { params: { exception_id } }
}
async function deliveryPath() {
  await client.call('triggerDigest', { body: {} })
  return { params: { delivery_id: (await client.call('listDeliveries', {})).items[0]!.delivery_id } }
}
async function toClusterId(index: number): Promise<string> {
  return (await client.call('listClusters', {})).items[index]!.cluster_id
}
async function clusterPath() {
  return { params: { cluster_id: await toClusterId(0) } }
}

let teams = 0
/** Name of a team of the local user and of ada; bea has an account, too. */
async function newTeam(): Promise<string> {
  const env = { RELT_HOME: home, RELT_KEYCHAIN: 'off' }
  const { db, vault } = await openService({ env, now: () => now, folder: home })
  const team = `team-${teams++}`
  const teamId = await addTeam(db, team, now)
  const local = await getLocalUser(db, now)
  const account = { email: null, role: 'user', plan: 'pro' } as const
  const [ada] = await Promise.all(
    ['ada', 'bea'].map(async (login) => (await findUser(db, login)) ?? addUser(db, { login, ...account }, now)),
  )
  const keys = await vault()
  await addMember(db, keys, { teamId, userId: local.id, role: 'owner' })
  await addMember(db, keys, { teamId, userId: ada!.id, role: 'viewer' })
  await db.updateTable('team_member').set({ is_default: 0 }).execute()
  await db.destroy()
  return team
}

const agentHeartbeat = {
  ...{ agent_id: 'agent-1', host: 'laptop', version: '1.0.0', uploads_waiting: 2 },
  jobs: [
    { name: 'nightly', cluster_name: 'blue', expected_every: 3600, last_outcome: 'done' as const },
    { name: 'drop', last_at: '2026-08-30 00:00:00' },
  ],
}

/** Calls that together show every form of every answer. */
const calls: { [N in RouteName]: [string, () => Input | Promise<Input>][] } = {
  listProjects: [
    ['the first page', () => ({})],
    ['a search with releases', () => ({ query: { search: 'argo', include_releases: 'true', per_page: '100' } })],
    ['a status', () => ({ query: { cncf_status: 'graduated', page: '2', per_page: 7 } })],
    ['nothing found', () => ({ query: { search: 'no such project' } })],
    ['a page beyond the last', () => ({ query: { page: 1000 } })],
  ],
  getProject: [
    ['one with charts', () => ({ params: { id: '20' } })],
    ['another', () => ({ params: { id: '1' } })],
  ],
  listReleases: [
    ['of applications', () => ({ params: { id: '1' } })],
    ['of charts', () => ({ params: { id: '1' }, query: { type: 'helm', per_page: 100 } })],
    ['that are not stable', () => ({ params: { id: '20' }, query: { type: 'pre' } })],
  ],
  getStats: [['the numbers', () => ({})]],
  uploadReport: [
    ['with everything around it', () => ({ body: envelope, report: toBytes(scan([{}])) })],
    ['a second time', () => ({ body: envelope, report: toBytes(scan([{}])) })],
    ['with a key', () => ({ body: {}, report: toBytes(scan([{}])), idempotencyKey: 'k' })],
  ],
  listReports: [
    ['of the latest cluster', () => ({})],
    ['of a cluster', () => ({ query: { ...shop, per_page: 2 } })],
    ['of a cluster with words around it', () => ({ query: { cluster_name: 'blue', environment: 'staging' } })],
    ['of no cluster', () => ({ query: { cluster_name: 'nowhere' } })],
    ['the latest of each scanner', () => ({ query: { latest: true } })],
  ],
  listClusters: [
    ['all', () => ({})],
    ['by urgency', () => ({ query: { sort: 'urgency', per_page: '1' } })],
    ['none', () => ({ query: { label: 'nowhere' } })],
  ],
  getStatus: [['all', () => ({})]],
  getCluster: [['one', clusterPath]],
  updateCluster: [
    ['settings', async () => ({ ...(await clusterPath()), body: { labels: ['b', 'a'], expected_every: 86_400 } })],
    ['nothing', async () => ({ ...(await clusterPath()), body: { expected_every: null } })],
  ],
  compareClusters: [['two', async () => ({ query: { from: await toClusterId(0), to: await toClusterId(1) } })]],
  getClusterMetrics: [['of all clusters', () => ({})]],
  listClusterVersions: [['of a project', () => ({ query: { product_id: 1 } })]],
  deleteCluster: [
    [
      'one',
      async () => {
        const body = { cluster: { name: 'another' } }
        await client.call('uploadReport', { body, report: toBytes(scan([{}])) })
        const { items } = await client.call('listClusters', { query: { cluster_name: 'another' } })
        return { params: { cluster_id: items[0]!.cluster_id } }
      },
    ],
  ],
  compareReports: [
    ['the latest', () => ({ query: shop })],
    ['two runs', () => ({ query: { from_run_id: runs[0]!, to_run_id: runs[2]! } })],
    ['runs of two clusters', () => ({ query: { from_run_id: runs[2]!, to_run_id: runs[3]! } })],
  ],
  reportTrends: [
    ['of a cluster', () => ({ query: { ...shop, window_days: '365' } })],
    ['of no cluster', () => ({ query: { cluster_name: 'nowhere' } })],
    ['of all clusters', () => ({ query: { group_by_cluster: 'true', window_days: 365 } })],
    ['of a window without runs', () => ({ query: { ...shop, window_days: 1 } })],
  ],
  getReport: [
    ['without its report', () => ({ params: { run_id: runs[0]! } })],
    ['with its report', () => ({ params: { run_id: runs[3]! }, query: { include_report: 'true' } })],
  ],
  reportFreshness: [
    ['of an inventory', () => ({ params: { run_id: runs[2]! } })],
    ['of findings', () => ({ params: { run_id: runs[3]! } })],
    ['explained', () => ({ params: { run_id: runs[2]! }, query: { explain: 'true' } })],
  ],
  listFindings: [
    ['of all clusters', () => ({})],
    ['of a run', () => ({ query: { run_id: runs[2]! } })],
    ['suppressed and not run', () => ({ query: { state: 'suppressed,not-run' } })],
    ['in groups', () => ({ query: { group_by: 'check' } })],
  ],
  listExceptions: [
    ['none', () => ({})],
    [
      'one',
      async () => {
        await exceptionPath()
        return { query: { state: 'active', expiring_days: '365' } }
      },
    ],
  ],
  getGatePolicy: [['one', () => ({})]],
  setGatePolicy: [['one', () => ({ body: { policy: "gate:\n  fail_on: ['new>=high']\n" } })]],
  getOwners: [['all', () => ({})]],
  setOwners: [['one', () => ({ body: { owners: [{ owner: 'payments', namespace: 'pay-*' }] } })]],
  createException: [['one', () => ({ body: exception })]],
  getException: [['one', exceptionPath]],
  expireException: [['one', exceptionPath]],
  listRunFindings: [
    ['all', () => ({ params: { run_id: runs[2]! } })],
    ['one', () => ({ params: { run_id: runs[2]! }, query: { limit: '1' } })],
  ],
  listTopChecks: [['of all clusters', () => ({})]],
  listRiskPaths: [['of all clusters', () => ({})]],
  getFinding: [
    [
      'of a run',
      async () => ({
        params: { fingerprint: (await client.call('listFindings', {})).items[0]!.fingerprint! },
      }),
    ],
  ],
  agentHeartbeat: [
    ['of a laptop', () => ({ body: agentHeartbeat })],
    ['of a laptop, again', () => ({ body: { ...agentHeartbeat, jobs: [] } })],
  ],
  listAgents: [
    [
      'one',
      async () => {
        await client.call('agentHeartbeat', { body: agentHeartbeat })
        return {}
      },
    ],
  ],
  listTeamSubscriptions: [['of a team', async () => ({ params: { team: await newTeam() } })]],
  getTeam: [['with members', async () => ({ params: { team: await newTeam() } })]],
  addTeamMember: [
    ['of an account', async () => ({ params: { team: await newTeam() }, body: { login: 'bea', role: 'member' } })],
  ],
  setTeamRole: [
    ['of a member', async () => ({ params: { team: await newTeam(), login: 'ada' }, body: { role: 'member' } })],
  ],
  removeTeamMember: [['of a member', async () => ({ params: { team: await newTeam(), login: 'ada' } })]],
  getImpact: [
    ['of all security fixes', () => ({})],
    ['of a project', () => ({ query: { product_id: '1' } })],
    ['of an advisory that no release fixes', () => ({ query: { cve: 'CVE-2026-1000' } })],
    ['of a release', () => ({ query: { release_id: 1 } })],
  ],
  getUpgradePlan: [
    ['to the next minor version', () => ({ query: shop })],
    ['to the newest', () => ({ query: { ...shop, to: 'latest' } })],
  ],
  getFleetUpgrade: [
    ['of all clusters', () => ({ query: { to: '1.36' } })],
    ['of a label', () => ({ query: { label: 'no-such', environments: 'staging,prod' } })],
  ],
  checkUpgrade: [
    [
      'of known and unknown projects',
      () => ({
        body: {
          ...{ kubernetes: '1.33', to: '1.35' },
          parts: [
            { project_slug: 'keda', version: '2.18.3' },
            { project_slug: 'no-such', version: '1' },
          ],
        },
      }),
    ],
    ['of no version of Kubernetes', () => ({ body: { kubernetes: 'x', to: 'latest', parts: [] } })],
  ],
  getUpgradePath: [
    ['to the newest', () => ({ query: { project: 'argo-cd', version: '2.14.1' } })],
    ['to nothing', () => ({ query: { project: 'argo-cd', version: '2.14.1', to: '99' } })],
  ],
  recordGate: [
    [
      'of a rule that failed',
      () => ({
        params: { run_id: runs[0] },
        body: {
          policy: { name: 'relt.yaml', digest: 'a3'.repeat(32) },
          rules: [{ rule: 'new>=high', verdict: 'failed', reason: '1 new finding', excepted: 0 }],
        },
      }),
    ],
  ],
  listGateBaselines: [['of a run', () => ({ query: { run_id: runs[3]!, rules: 'new>=high' } })]],
  takeInRun: [['of a run', () => ({ body: { run_id: runs[3]!, reason: 'accepted' } })]],
  splitWorkload: [
    [
      'that was renamed',
      async () => {
        const place = { cluster: { name: 'renamed' }, source: 'manual' }
        const [, { run_id }] = [
          await client.call('uploadReport', { body: place, report: toBytes(renamedJobs()[0]) }),
          await client.call('uploadReport', { body: place, report: toBytes(renamedJobs()[1]) }),
        ]
        return { body: { run_id, namespace: 'default', workload: 'app-migrate-42' } }
      },
    ],
  ],
  endSubject: [['of a run', () => ({ params: { run_id: runs[3]! }, body: { reason: 'gone' } })]],
  deleteReport: [
    [
      'of a run',
      async () => {
        const { run_id } = await client.call('uploadReport', {
          body: {},
          report: toBytes(scan([], { cluster: 'short', passed: ['SEC001'] })),
        })
        return { params: { run_id } }
      },
    ],
  ],

  listDeliveries: [
    [
      'a digest',
      async () => {
        await deliveryPath()
        return { query: { state: 'skipped' } }
      },
    ],
  ],
  getDelivery: [['one', deliveryPath]],
  retryDelivery: [['one', deliveryPath]],

  getProduct: [['one with charts', () => projectFor]],
  getRecentReleases: [
    ['of all', () => ({ query: { limit: '20' } })],
    ['of a category with security fixes', () => ({ query: { category: 'Security', security_only: '1' } })],
  ],
  getPopularProjects: [
    ['the first', () => ({ query: { limit: 50 } })],
    ['with a subscriber', after(() => subscribe(3))],
  ],
  addRelease: [
    ['of a new version', () => ({ body: { product_id: 1, version: 'v77.0.0', type: 'app' } })],
    ['again', () => ({ body: { product_id: 1, version: 'v77.0.0', type: 'app', has_security_fix: true } })],
  ],
  syncProjects: [
    ['of nothing', () => ({ body: { projects: [] } })],
    ['of one', () => ({ body: { projects: [{ name: 'Shop', repo_url: 'https://git.shop.example/shop' }] } })],
  ],
  listExistingReleases: [
    ['of a project', () => ({ query: { product_id: '1' } })],
    ['of none', () => ({ query: { product_id: 999_999 } })],
  ],

  getMySubscriptions: [['with one', after(() => subscribe(1))]],
  listSubscriptions: [['with labels', after(() => labelled())]],
  getFeed: [['of a year', after(() => subscribe(1), { query: { days: 365 } })]],
  getDashboard: [['with everything', after(() => labelled())]],
  getDashboardActivity: [['of a year', after(() => subscribe(1), { query: { days: '365' } })]],
  getDashboardLogs: [['with an attempt', after(() => client.call('testNotification', { body: { channel: 'slack' } }))]],
  toggleSubscription: [
    ['on', () => ({ body: { product_id: 2 } })],
    ['off', () => ({ body: { product_id: 2 } })],
  ],
  updateSettings: [
    ['of nothing', async () => ({ body: { subscription_id: await subscribe(1) } })],
    ['of some', async () => ({ body: { subscription_id: await subscribe(1), notifications_paused: true } })],
  ],
  updateAccountSettings: [['of some', () => ({ body: { slack_webhook: 'https://hooks.example/x' } })]],
  testNotification: [['of every channel', async () => ({ body: { subscription_id: await subscribe(1) } })]],
  sendTestNotification: [['of a channel that is not set up', () => ({ body: { channel: 'teams' } })]],
  rotateWebhookSecret: [
    ['of the account', () => ({ body: {} })],
    ['of a subscription', async () => ({ body: { subscription_id: await subscribe(1) } })],
  ],
  triggerDigest: [['of a week', () => ({ body: { frequency: 'weekly' } })]],

  listLabels: [['with one', after(() => newLabel())]],
  createLabel: [['of a name', () => ({ body: { label_name: 'team a', label_color: '#FFaa00' } })]],
  updateLabel: [
    [
      'of another name',
      async () => ({ params: { id: String(await newLabel()) }, body: { label_name: 'b', label_color: '#000000' } }),
    ],
  ],
  deleteLabel: [['of one', async () => ({ params: { id: String(await newLabel()) } })]],
  attachLabels: [
    [
      'to a subscription',
      async () => ({
        params: { subscription_id: String(await subscribe(1)) },
        body: { label_ids: [await newLabel(), await newLabel()] },
      }),
    ],
  ],
  detachLabel: [['from a subscription', async () => ({ params: await labelled() })]],

  getCurrentKey: [['of this process', () => ({})]],
  listFeeds: [['with one', after(() => client.call('createFeed', {}))]],
  createFeed: [['of releases', () => ({})]],
  revokeFeed: [
    [
      'of one',
      async () => ({
        params: { feed_id: (await client.call('createFeed', {})).item.feed_id },
      }),
    ],
  ],
  listAudit: [['of everybody', () => ({})]],
  listKeys: [['with one', after(() => client.call('createKey', { body: { name: 'ci' } }))]],
  createKey: [['of a name', () => ({ body: { name: 'laptop' } })]],
  listMade: [
    [
      'of one',
      async () => ({ params: { uuid: (await client.call('createKey', { body: { name: 'old' } })).item.uuid } }),
    ],
  ],
  revokeKey: [
    [
      'of one',
      async () => ({ params: { uuid: (await client.call('createKey', { body: { name: 'old' } })).item.uuid } }),
    ],
  ],

  listConfigs: [['with one', after(() => configPath())]],
  createConfig: [
    ['of a profile', () => ({ body: profile })],
    ['of a name alone', () => ({ body: { name: 'x' } })],
  ],
  getConfig: [['of one', configPath]],
  updateConfig: [['of one', async () => ({ ...(await configPath()), body: { notes: 'mind the quota' } })]],
  deleteConfig: [['of one', configPath]],
  getConfigCommand: [['of one', configPath]],
  getConfigFile: [['of one', configPath]],
  listBootstrapCandidates: [['of the reports', () => ({})]],
  bootstrapConfigs: [['of one cluster', () => ({ body: { cluster_names: ['shop-prod', 'nowhere'] } })]],
}
const everyCall = Object.entries(calls).flatMap(([name, inputs]) =>
  inputs.map(([title, input]) => [name as RouteName, title, input] as const),
)

const asJson = (value: unknown) => JSON.parse(JSON.stringify(value))

/** Paths of what an answer has and its schema does not know, or the other way round. */
function differences(name: RouteName, answer: unknown): string[] {
  const parsed = asJson(routes[name].answer.parse(answer))
  const differing = (a: unknown, b: unknown, path: string): string[] => {
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b) ? [] : [path]
    const keys = new Set([...Object.keys(a), ...Object.keys(b)])
    return [...keys].flatMap((key) => differing(a[key as never], b[key as never], `${path}.${key}`))
  }
  return differing(parsed, asJson(answer), name)
}

/** Every value of a key that tells a time. */
function timesIn(value: unknown, key = ''): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((entry) => timesIn(entry))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, child]) => timesIn(child, name))
  return /^at$|_at$/.test(key) ? [[key, value]] : []
}

describe('every answer', () => {
  test.each(everyCall)('of %s has the shape of the contract and nothing else: %s', async (name, _, input) => {
    const answer = (await call(name, await input())) as Record<string, unknown>
    expect(differences(name, answer)).toEqual([])

    const { report: __, ...own } = answer
    for (const [key, time] of timesIn(own)) {
      if (/^(catalog|security_facts|advisory_facts)_at$/.test(key)) {
        expect(`${key} ${time}`).toMatch(/^\w+ (\d{4}-\d\d-\d\d|null)$/)
        continue
      }
      const absent =
        /^(started_at|finished_at|last_release_at|latest_published_at|expires_at|first_seen_at|ended_at|next_at|last_at|next_attempt_at|accepted_at|changed_at|gate_policy_changed_at)$/.test(
          key,
        )
          ? null
          : undefined
      if (time !== absent) expect(`${key} ${time}`).toMatch(/^\w+ \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    }
  })

  test('would be noticed to have a field too many, or a time in another form', async () => {
    const run = (await call('getReport', { params: { run_id: runs[0]! } })) as object
    expect(differences('getReport', { ...run, secret: 1 })).toEqual(['getReport.secret'])
    expect(differences('getReport', { ...run, artifacts: { images: 1, helm_charts: 1, apps: 1, x: 1 } })).toEqual([
      'getReport.artifacts.x',
    ])
    expect(() => differences('getReport', { ...run, ingested_at: '2026-08-30T00:00:00Z' })).toThrow()
    expect(timesIn({ a: [{ published_at: 1 }], at: 2, format: 3 })).toEqual([
      ['published_at', 1],
      ['at', 2],
    ])
  })

  test('survives the way over the wire', async () => {
    for (const [name, , input] of everyCall.filter(([name]) => routes[name].method === 'GET')) {
      const { secrets, path }: Route = routes[name]
      const answer = secrets ? await client.request({ method: 'GET', path }) : await call(name, await input())
      expect(asJson(answer)).toEqual(answer)
    }
  })
})

/** What is wrong with a call: its code and the parameters that it names. */
async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (!(error instanceof ReltError)) throw error
    const names = Object.keys(error.params ?? {}).join(', ')
    if (error.code === 'invalid_param') expect(error.message).toMatch(/^(Invalid|Missing) parameter\(s\): /)
    if (error.code === 'invalid_param') expect(error.message.replace(/^.*?: /, '')).toBe(names)
    for (const reason of Object.values(error.params ?? {})) expect(reason).toMatch(/\S/)
    return `${error.code} ${names}`.trim()
  }
}

describe('a parameter', () => {
  test('is named with all others that are wrong', async () => {
    const query = { page: 0, per_page: 101, search: 'x', cncf_status: 'other' }
    expect(await refusal(call('listProjects', { query }))).toBe('invalid_param page, per_page, cncf_status')
    const error = await call('listProjects', { query }).catch((error: unknown) => error)
    expect((error as ReltError).params).toMatchObject({ page: 'must be at least 1', per_page: 'must be at most 100' })
  })

  test('that is missing is told to be missing', async () => {
    expect(await refusal(call('getProject', { params: {} }))).toBe('invalid_param id')
    expect(await refusal(call('getReport'))).toBe('invalid_param run_id')
    expect(await refusal(call('uploadReport', { body: {} }))).toBe('invalid_param report')
    expect(await refusal(call('uploadReport', { body: {}, report: toBytes({ checks: { A: { Total: 0 } } }) }))).toBe(
      'invalid_param cluster.name',
    )
  })

  test('that nobody knows is ignored', async () => {
    expect(await refusal(call('listProjects', { query: { order: 'x' }, params: { id: 5 } }))).toBeUndefined()
    expect(
      await refusal(call('uploadReport', { body: { report: {}, x: 1 }, report: toBytes(scan([{}])) })),
    ).toBeUndefined()
  })
})

describe('the table of routes', () => {
  const table = Object.entries(routes)

  test('has no address twice', () => {
    const addresses = table.map(([, { method, path }]) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  test.each(table)('%s reads every part of its path', (_, { path, params }) => {
    expect(Object.keys(params.def.shape)).toEqual(Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name))
  })
})
