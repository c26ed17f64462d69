import { vi } from 'vitest'
import { readPlans } from '../../../src/config/plans.ts'
import type { KeyScope } from '../../../src/contract/api-key.ts'
import type { TeamRole } from '../../../src/contract/team.ts'
import type { DatabaseKind } from '../../../src/db/kind.ts'
import { setMeta } from '../../../src/db/meta.ts'
import { issueKey } from '../../../src/operations/accounts/api-key.ts'
import { addMember } from '../../../src/operations/accounts/grant.ts'
import { tagOfMember } from '../../../src/operations/accounts/tags.ts'
import { getTeamAccount } from '../../../src/store/accounts/owner.ts'
import { addTeam } from '../../../src/store/accounts/team.ts'
import { formatTimestamp } from '../../../src/util/time.ts'
import { copyOf } from '../../helpers/memory-store.ts'
import { day, now } from '../../operations/service.ts'
import { scan } from '../../reports/scan.ts'
import { project, release, save } from '../../store/bundled.ts'
import { basic, openHttp } from '../http.ts'

export type World = Awaited<ReturnType<typeof openWorld>>

/** Who calls; the headers sign in. */
export type Caller = World['owner']

const at = (days: number) => formatTimestamp(now - days * day)

const catalog = [
  project('argo-cd', {
    name: 'Argo CD',
    category: 'CI/CD',
    cncf_status: 'graduated',
    helm_chart_repo: 'https://charts.example',
    helm_chart_names: ['argo-cd'],
    image_repositories: ['quay.io/argoproj/argocd'],
    advisories: {
      as_of: '2026-08-05',
      advisories: [['CVE-2026-5000', ['GHSA-qppj-fm5r-hxr3'], 'high', 8.1, '2026-01-02', 0, [['0', '3.5.2']], ['osv']]],
    },
    releases: [
      release('v3.6.0-rc1', at(1), { type: 'pre' }),
      release('10.1.1', at(2), { type: 'helm', chartName: 'argo-cd', appVersion: 'v3.5.1' }),
      release('v3.5.1', at(3)),
    ],
  }),
  project('nginx', { name: 'NGINX', category: 'Networking', releases: [release('1.29.0', at(1))] }),
]

interface WorldOptions {
  /** The owner is in a team from the start. */
  inTeam?: boolean
  /** By default as the project of the test says. */
  database?: DatabaseKind | undefined
}

/** A store whose owner has one of everything, and more keys and subscriptions to come than any table needs. */
export async function openWorld(whenDone?: (close: () => Promise<void>) => void, options: WorldOptions = {}) {
  const { inTeam = false, database } = options
  const { store, ids, ...callers } = await furnished({ inTeam, database })
  const http = await openHttp({ failuresPerMinute: 0 }, whenDone, { copy: store, database })
  return { ...toWorld(http, callers), ids }
}

const worlds = new Map<string, ReturnType<typeof furnish>>()

/** Furnishing a store takes longer than most tests: each world begins as a copy of the first. */
function furnished(options: WorldOptions): ReturnType<typeof furnish> {
  const key = JSON.stringify(options)
  const world = worlds.get(key) ?? furnish(options)
  worlds.set(key, world)
  return world
}

async function furnish({ inTeam, database }: WorldOptions) {
  const closers: (() => Promise<void>)[] = []
  const http = await openHttp({ failuresPerMinute: 0 }, (close) => closers.push(close), { database })
  const { db } = http
  await save(db, catalog, now)
  await setMeta(db, 'catalog_date', '2099-01-01')
  const owner = await http.signUp('owner', { role: 'admin', plan: 'pro_plus' })
  const other = await http.signUp('other', { role: 'admin', plan: 'pro_plus' })
  const free = await http.signUp('free', { plan: 'free' })
  if (inTeam) {
    // So that the ids of owners are no ids of users.
    await db.insertInto('team').values({ name: 'earlier', created_at: now }).execute()
    await addTeam(db, 'empty', now)
    const teamId = await addTeam(db, 'team', now)
    const member = { teamId, userId: owner.user.id, role: 'owner' } as const
    await addMember(db, await http.service.vault(), member)
  }
  // A key notes its first use, which is not what a call leaves behind.
  for (const { keyHeaders } of [owner, other, free]) await useKey(http, keyHeaders)
  const world = toWorld(http, { owner, other, free })
  const { make } = world
  const subscription = (await make('/toggle-sub', { product_id: 1 })).subscription_id as number
  const label = (await make('/labels', { label_name: 'mine', label_color: '#1f6feb' })).label_id as number
  await make(`/subscriptions/${subscription}/labels`, { label_ids: [label] })
  await make('/test-notification', { subscription_id: subscription, channel: 'slack' })
  await make('/update-settings', { subscription_id: subscription, generic_webhook: 'https://hooks.example/x' })
  await make('/add-release', { ...vulnerable, product_id: 1 })
  const owners = [{ owner: 'platform', contact: '#platform', namespace: 'default' }]
  const policy = "gate: { fail_on: ['new>=high'] }"
  await http.call('/gate-policy', { method: 'PUT', headers: owner.headers, body: { policy } })
  await http.call('/owners', { method: 'PUT', headers: owner.headers, body: { owners } })
  let run = ''
  for (const report of reports) run = await world.makeRun(report)
  const { public_id: cluster } = await db.selectFrom('cluster').select('public_id').executeTakeFirstOrThrow()
  const ids = {
    subscription,
    label,
    run,
    cluster,
    config: await world.makeConfig(),
    exception: await world.makeException(),
    key: await world.makeKey(),
  }
  const store = await copyOf(db)
  for (const close of closers) await close()
  return { store, ids, owner, other, free }
}

/** Uses a key for the first time. That is noted beside the request, and on PostgreSQL often after its answer. */
export async function useKey({ call, db }: Pick<Http, 'call' | 'db'>, headers: Record<string, string>): Promise<void> {
  const { body } = await call('/api-keys/current', { headers })
  const lastUse = db.selectFrom('api_key').select('last_used_at').where('uuid', '=', body.key.uuid)
  const isNoted = async () => (await lastUse.executeTakeFirstOrThrow()).last_used_at !== null
  await vi.waitUntil(isNoted, { interval: 2, timeout: 60_000 })
}

type Http = Awaited<ReturnType<typeof openHttp>>
type SignedUp = Awaited<ReturnType<Http['signUp']>>

/** What a test can do in a world. */
function toWorld(http: Http, { owner, other, free }: Record<'owner' | 'other' | 'free', SignedUp>) {
  const { db, service } = http
  // What is within the limits of one value adds up to more than a plan allows.
  const limits = ['keys=1000', 'subscriptions=1000', 'profiles=100000'].map((limit) => `pro_plus.${limit}`)
  service.plans = readPlans({ RELT_PLAN_LIMITS: limits.join(',') })
  const scoped = async (scope: KeyScope) => {
    const { password: key, item } = await issueKey(service, { userId: owner.user.id, name: scope, scope }, now)
    const headers: Record<string, string> = { authorization: basic('owner', key) }
    return {
      user: { ...owner.user, key: { uuid: item.uuid, scope, expiresAt: null } },
      key,
      headers,
      keyHeaders: headers,
    }
  }

  let count = 0
  async function make(path: string, body: unknown) {
    const answer = await http.call(path, { headers: owner.headers, body })
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return {
    ...http,
    owner,
    /** May do all that the owner may, and has nothing. */
    other,
    free,
    /** The owner with a key of this scope. */
    scoped,
    make,
    /** Each makes one of the owner's and answers with its id. */
    makeRun: async (report: object = scan([{ message: `run ${count++}` }])): Promise<string> =>
      (await make('/cluster-reports', { report })).run_id,
    /** Of a finding of the owner's latest runs. */
    findFingerprint: async (): Promise<string> =>
      (await http.call('/findings', { headers: owner.headers })).body.items[0].fingerprint,
    makeCluster: async (): Promise<string> => {
      const cluster = { name: `cluster ${count++}` }
      await make('/cluster-reports', { cluster, report: scan([{}]) })
      const { public_id } = await db
        .selectFrom('cluster')
        .select('public_id')
        .where('name', '=', cluster.name)
        .executeTakeFirstOrThrow()
      return public_id
    },
    makeConfig: async (): Promise<string> => (await make('/cluster-configs', profile)).config_id,
    /** In which the owner is an owner, beside a viewer; nobody's default team. */
    makeTeam: async (): Promise<{ team: string; login: string }> => {
      const name = `team-${count++}`
      const login = `member-${count++}`
      const teamId = await addTeam(db, name, now)
      const { user } = await http.signUp(login, { plan: 'pro' })
      const [vault, ownerId] = [await http.service.vault(), await getTeamAccount(db, teamId)]
      const row = (userId: number, role: TeamRole) => ({
        ...{ team_id: teamId, user_id: userId, role, is_default: 0 },
        tag: tagOfMember(vault, { teamId, userId, ownerId, role }),
      })
      await db
        .insertInto('team_member')
        .values([row(owner.user.id, 'owner'), row(user.id, 'viewer')])
        .execute()
      await http.call('/account/settings', {
        ...{ method: 'PUT', headers: { ...owner.headers, 'x-relt-team': name } },
        body: { slack_webhook: 'https://hooks.slack.com/services/T/B/x' },
      })
      return { team: name, login }
    },
    makeException: async (): Promise<string> => (await make('/exceptions', exception)).exception_id,
    makeFeed: async (): Promise<string> => (await make('/feeds', {})).item.feed_id,
    makeKey: async (): Promise<string> => (await make('/api-keys', { name: `key ${count++}` })).item.uuid,
    makeDelivery: async (): Promise<string> => {
      await make('/add-release', { product_id: 1, type: 'app', version: `v99.0.${count++}` })
      return (await http.call('/deliveries', { headers: owner.headers })).body.items[0].delivery_id
    },
    /** In place of those that it made before, so that no name is taken and no limit near. */
    makeLabel: async (): Promise<number> => {
      await db.deleteFrom('label').where('id', '!=', 1).execute()
      return (await make('/labels', { label_name: 'team a', label_color: '#1f6feb' })).label_id
    },
  }
}

/** Settings with all that a scan can need. */
export const complete = {
  aks: { subscriptionId: 's', resourceGroup: 'rg', clusterName: 'c' },
  gke: { projectId: 'p', location: 'l', clusterName: 'c' },
  eks: { region: 'r', clusterName: 'c' },
  prometheus: { url: 'https://prometheus.example/' },
  radar: { upload: true, api_base_url: 'https://radar.example/v1' },
}

const profile = { name: 'Prod', cluster_name: 'prod-eu', provider: 'aks', settings: complete }

const exception = { check: 'B', all_clusters: true, reason: 'Known', expires_on: '2026-12-31' }

const vulnerable = {
  version: 'v3.5.2',
  type: 'app',
  has_security_fix: true,
  security_severity: 'high',
  cve_list: ['CVE-2026-1000'],
  cve_links: ['https://cve.example/CVE-2026-1000'],
}

/** From the second to the third: one new, one back, one gone, and another scope. */
const reports = [
  scan([{ check: 'A', message: 'comes back' }], { generatedAt: at(3), passed: ['B'] }),
  scan([{ check: 'B', message: 'goes' }], {
    generatedAt: at(2),
    passed: ['A', 'OLD'],
    excludedNamespaces: ['test'],
  }),
  {
    ...scan(
      [
        { check: 'A', message: 'comes back' },
        { check: 'B', message: 'is new' },
      ],
      {
        generatedAt: at(1),
        passed: ['NEW'],
        excludedNamespaces: ['kube-system'],
      },
    ),
    artifacts: {
      images: [
        { fullRef: 'quay.io/argoproj/argocd:v3.5.1', namespace: 'a', workloadKind: 'Deployment', workloadName: 'w' },
      ],
      helmCharts: [{ name: 'argo-cd', version: '9.0.0', namespace: 'a' }],
    },
    directRiskPaths: [{ id: 'RISK001', name: 'Isolation', status: 'triggered', signalChecks: ['A'] }],
  },
]
