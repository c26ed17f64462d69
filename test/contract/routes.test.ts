import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { createLocalClient } from '../../src/client/local.ts'
import { type RouteName, routes } from '../../src/contract/routes.ts'
import { ReltError } from '../../src/errors.ts'
import { exampleFile, nativeReportFile } from '../helpers/report.ts'
import { bytesOf, scan } from '../reports/scan.ts'
import { now } from '../services/service.ts'

type Input = { params?: object; query?: object; body?: object; report?: Uint8Array; idempotencyKey?: string }

let client: Client
let home: string
/** Ids of the runs of the example reports, oldest first, and of a real native one. */
const runs: string[] = []

const call = (name: string, input: Input = {}) => client.call(name as RouteName, input as never) as Promise<unknown>

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'relt-test-'))
  client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => now })
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

const projectOf = { params: { id: '1' } }

/** Id of a subscription to the project, made when there is none. */
async function subscribe(product_id: number): Promise<number> {
  const { subscriptions } = await client.call('listSubscriptions', {})
  const known = subscriptions.find((subscription) => subscription.product_id === product_id)
  return known ? known.id : (await client.call('toggleSubscription', { body: { product_id } })).subscription_id
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
    ['with everything around it', () => ({ body: envelope, report: bytesOf(scan([{}])) })],
    ['a second time', () => ({ body: envelope, report: bytesOf(scan([{}])) })],
    ['with a key', () => ({ body: {}, report: bytesOf(scan([{}])), idempotencyKey: 'k' })],
  ],
  listReports: [
    ['of the latest cluster', () => ({})],
    ['of a cluster', () => ({ query: { ...shop, per_page: 2 } })],
    ['of a cluster with words around it', () => ({ query: { cluster_name: 'blue', environment: 'staging' } })],
    ['of no cluster', () => ({ query: { cluster_name: 'nowhere' } })],
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
  deleteReport: [
    [
      'of a run',
      async () => {
        const { run_id } = await client.call('uploadReport', {
          body: {},
          report: bytesOf(scan([], { cluster: 'short' })),
        })
        return { params: { run_id } }
      },
    ],
  ],

  getProduct: [['one with charts', () => projectOf]],
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

  listKeys: [['with one', after(() => client.call('createKey', { body: { name: 'ci' } }))]],
  createKey: [['of a name', () => ({ body: { name: 'laptop' } })]],
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
      const absent = /^(started|finished|last_release)_at$/.test(key)
        ? null
        : key === 'latest_published_at'
          ? ''
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
      const answer = await call(name, await input())
      expect(asJson(answer)).toEqual(answer)
    }
  })

  test('has the fields that the interface names', async () => {
    const keysOf = async (name: RouteName, input: Input, ...path: (string | number)[]) =>
      Object.keys(path.reduce((value, key) => value[key as never], (await call(name, input)) as object))
    const project = 'id name description category cncf_status homepage docs_url repo_url helm_chart_repo logo_url'
    const release = 'id product_id version type release_notes url published_at has_security_fix security_severity'
    const allOfRelease = `${release} created_at cve_list security_summary cve_links`
    const run =
      'run_id cluster_name environment provider region source source_version kubernetes_version score total_checks failed_checks passed_checks findings artifacts started_at finished_at duration_seconds ingested_at processing_status size_bytes ci'
    const finding = 'fingerprint check_id check_name category severity namespace resource message value'
    const argo = { query: { search: 'argo cd', include_releases: true } }
    const expected: [string, string[]][] = [
      [
        `${project} updated_at latest_version latest_published_at releases`,
        await keysOf('listProjects', argo, 'items', 0),
      ],
      [allOfRelease, await keysOf('listProjects', argo, 'items', 0, 'releases', 'helm', 0)],
      [`${project} releases`, await keysOf('getProject', { params: { id: '1' } }, 'product')],
      [release, await keysOf('listReleases', { params: { id: '1' } }, 'items', 0)],
      [
        'success total_projects total_releases total_security_fixes releases_last_7d releases_last_30d releases_last_90d',
        await keysOf('getStats', {}),
      ],
      ['page per_page total total_pages items', await keysOf('listReports', { query: shop })],
      [run, await keysOf('listReports', { query: shop }, 'items', 0)],
      [
        'success cluster_name environment from to score_delta new_findings resolved_findings regressed_findings new_findings_count resolved_findings_count regressed_findings_count unchanged_findings_count incomparable_findings_count scope_changes',
        await keysOf('compareReports', { query: shop }),
      ],
      [finding, await keysOf('compareReports', { query: shop }, 'new_findings', 0)],
      ['success cluster_name environment window_days points', await keysOf('reportTrends', { query: shop })],
      [
        'run_id at score failed_checks findings',
        await keysOf('reportTrends', { query: { ...shop, window_days: 365 } }, 'points', 0),
      ],
      ['success window_days clusters', await keysOf('reportTrends', { query: { group_by_cluster: true } })],
      [
        'success run_id processing_status summary items',
        await keysOf('reportFreshness', { params: { run_id: runs[2]! } }),
      ],
      [
        'current_version latest_version status confidence reason recommendation artifact_type artifact_key display_name namespace workloads source source_product_id is_monitored global_latest_version compare_mode inherited_from_helm releases_behind days_behind security_fixes_between highest_severity_between',
        await keysOf('reportFreshness', { params: { run_id: runs[2]! } }, 'items', 0),
      ],
    ]
    for (const [names, keys] of expected) expect(keys).toEqual(expect.arrayContaining(names.split(' ')))
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
    if (error.code === 'invalid_param') expect(error.message).toBe(`Invalid parameter(s): ${names}`)
    if (error.code === 'missing_param') expect(error.message).toBe(`Missing parameter(s): ${names}`)
    for (const reason of Object.values(error.params ?? {})) expect(reason).toMatch(/\S/)
    return `${error.code} ${names}`.trim()
  }
}

/** What becomes of values that are not refused as an invalid parameter of this name. */
function refusalsOf(param: string, work: (value: unknown) => Promise<unknown>) {
  return async (values: unknown[]): Promise<string[]> => {
    const outcomes = await Promise.all(values.map((value) => refusal(work(value))))
    return values.flatMap((value, i) =>
      outcomes[i] === `invalid_param ${param}` ? [] : `${JSON.stringify(value).slice(0, 40)} → ${outcomes[i]}`,
    )
  }
}

interface Values {
  good: unknown[]
  /** Of the right kind, but beyond a limit. */
  bad: unknown[]
  /** Of another kind. */
  alien: unknown[]
}

const digits = (min: number, max: number): Values => ({
  good: [min, max, String(min), String(max), `0${min}`],
  bad: [min - 1, max + 1, String(max + 1), -1, '-1', 1.5, '1.5', 'ten', '', ' 1', '1e1', '0x1', '9'.repeat(16)],
  alien: [null, Number.NaN, [1, 2], {}, true],
})
const words = (max: number): Values => ({
  good: ['', 'x', 'x'.repeat(max), ` ${'x'.repeat(max)} `, '😀'.repeat(max / 2), "%_'"],
  bad: ['x'.repeat(max + 1), 'a\nb', 'a\u0000b', 'a\u001bb', 'a\u0085b'],
  alien: [5, null, ['x'], { x: 1 }],
})
const flags: Values = {
  good: [true, false, 'true', 'false', '1', '0'],
  bad: ['yes', 'TRUE', '', 'true '],
  alien: [1, 0, null, ['true']],
}
const choices = (...good: string[]): Values => ({
  good,
  bad: ['other', '', good[0]!.toUpperCase()],
  alien: [5, null, good],
})
const anyProject = { id: '1' }
const cluster = { cluster_name: words(253), environment: words(100) }

const queries: [RouteName, () => object, Record<string, Values>][] = [
  [
    'listProjects',
    () => ({}),
    {
      page: digits(1, 1_000_000),
      per_page: digits(1, 100),
      search: words(200),
      cncf_status: choices('graduated', 'incubating', 'sandbox', 'open-source'),
      include_releases: flags,
    },
  ],
  [
    'listReleases',
    () => anyProject,
    { page: digits(1, 1_000_000), per_page: digits(1, 100), type: choices('app', 'helm', 'pre') },
  ],
  ['listReports', () => ({}), { ...cluster, page: digits(1, 1_000_000), per_page: digits(1, 100) }],
  ['compareReports', () => ({}), { ...cluster, from_run_id: words(100), to_run_id: words(100) }],
  ['reportTrends', () => ({}), { ...cluster, window_days: digits(1, 365), group_by_cluster: flags }],
  ['getReport', () => ({ run_id: runs[0]! }), { include_report: flags }],
  ['reportFreshness', () => ({ run_id: runs[0]! }), { explain: flags }],
]
const everyParam = queries.flatMap(([name, params, values]) =>
  Object.entries(values).map(([param, of]) => ({ name, params, param, ...of })),
)

const orNull = ({ good, bad, alien }: Values): Values => ({
  good: [...good, null],
  bad,
  alien: alien.filter((value) => value !== null),
})
const object: Values = { good: [{}, null], bad: [], alien: ['blue', 5, []] }
const time: Values = {
  good: ['2026-08-30 00:00:00', '2026-08-30T00:00:00Z', '2026-08-30', '', ' ', null],
  bad: ['yesterday', '2026-02-30', '2026-08-30T25:00:00Z', 'x'.repeat(65)],
  alien: [5, ['2026-08-30']],
}
const fields: [path: string, values: Values][] = [
  ['source', orNull(words(100))],
  ['source_version', orNull(words(100))],
  ['environment', orNull(words(100))],
  ['cluster', object],
  ['cluster.name', orNull(words(253))],
  ['cluster.provider', orNull(words(100))],
  ['cluster.region', orNull(words(100))],
  ['run', object],
  ['run.started_at', time],
  ['run.finished_at', time],
  [
    'run.duration_seconds',
    {
      good: [0, 0.5, 31_536_000, null],
      bad: [-1, 31_536_001, Number.POSITIVE_INFINITY],
      alien: ['5', Number.NaN, [5]],
    },
  ],
  ['ci', object],
  ['ci.provider', orNull(words(100))],
  ['ci.repository', orNull(words(500))],
  ['ci.commit', orNull(words(100))],
  ['ci.branch', orNull(words(300))],
  ['ci.build_url', orNull(words(1000))],
]

describe('every parameter', () => {
  test.each(everyParam)('$param of $name is taken up to its limits', async ({ name, params, param, good }) => {
    for (const value of good) {
      const outcome = await refusal(call(name, { params: params(), query: { [param]: value } }))
      expect([undefined, 'not_found'], JSON.stringify(value)).toContain(outcome)
    }
  })

  const ask = ({ name, params, param }: (typeof everyParam)[number]) =>
    refusalsOf(param, (value) => call(name, { params: params(), query: { [param]: value } }))

  test.each(everyParam)('$param of $name is refused by name beyond them', async (of) => {
    expect(await ask(of)(of.bad)).toEqual([])
  })

  test.each(everyParam)('$param of $name is refused by name when it is of another kind', async (of) => {
    expect(await ask(of)(of.alien)).toEqual([])
  })

  const upload = (path: string, value: unknown) => {
    const body = path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object
    return call('uploadReport', { body, report: bytesOf(scan([], { cluster: 'parameters' })) })
  }

  test.each(fields)('%s of an upload is taken up to its limits', async (path, { good }) => {
    for (const value of good) expect(await refusal(upload(path, value)), JSON.stringify(value)).toBeUndefined()
  })

  test.each(fields)('%s of an upload is refused by name beyond them', async (path, { bad }) => {
    expect(await refusalsOf(path, (value) => upload(path, value))(bad)).toEqual([])
  })

  test.each(fields)('%s of an upload is refused by name when it is of another kind', async (path, { alien }) => {
    expect(await refusalsOf(path, (value) => upload(path, value))(alien)).toEqual([])
  })

  test('is named with all others that are wrong', async () => {
    const query = { page: 0, per_page: 101, search: 'x', cncf_status: 'other' }
    expect(await refusal(call('listProjects', { query }))).toBe('invalid_param page, per_page, cncf_status')
    const error = await call('listProjects', { query }).catch((error: unknown) => error)
    expect((error as ReltError).params).toMatchObject({ page: 'at least 1', per_page: 'at most 100' })
  })

  test('that is missing is told to be missing', async () => {
    expect(await refusal(call('getProject', { params: {} }))).toBe('missing_param id')
    expect(await refusal(call('getReport'))).toBe('missing_param run_id')
    expect(await refusal(call('uploadReport', { body: {} }))).toBe('missing_param report')
    expect(await refusal(call('uploadReport', { body: {}, report: bytesOf({ checks: {} }) }))).toBe(
      'missing_param cluster.name',
    )
  })

  test('that nobody knows is ignored', async () => {
    expect(await refusal(call('listProjects', { query: { order: 'x' }, params: { id: 5 } }))).toBeUndefined()
    expect(
      await refusal(call('uploadReport', { body: { report: {}, x: 1 }, report: bytesOf(scan([])) })),
    ).toBeUndefined()
  })

  test.each(['0', '-1', '1.5', '999999', '99999999999999999999', '1e3', 'abc', '', ' 1', '１'])(
    'an id that is no project answers as one that does not exist: %j',
    async (id) => {
      expect(await refusal(call('getProject', { params: { id } }))).toBe('not_found')
      expect(await refusal(call('listReleases', { params: { id } }))).toBe('not_found')
    },
  )

  test.each(['crun_aaaaaaaaaaaaaaaa', 'crun_', '', '1', "' or 1=1 --", 'x'.repeat(1000)])(
    'an id that is no run answers as one that does not exist: %j',
    async (run_id) => {
      for (const name of ['getReport', 'reportFreshness', 'deleteReport']) {
        expect(await refusal(call(name, { params: { run_id } }))).toBe('not_found')
      }
    },
  )
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
