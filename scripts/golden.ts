/**
 * Whether two built checkouts say the same: `npm run golden -- BEFORE AFTER [filter]`. Each fills a store with the same
 * inputs over HTTP and prints whatever reads it: each verb in each state as a table, in 80 columns and as JSON, all pages,
 * the files of `relt ci`, and the verdicts on faulty reports. Prints the differences, and ends with 1 if there are any.
 * Routes, verbs and pages that only one of them has are listed and not compared.
 */
import { spawn, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Running, start } from '../bench/http-load.ts'
import { faultsOfFixture, fixturesWithFaults } from '../test/reports/formats/faults-of-fixtures.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const now = Date.parse('2026-09-15T12:00:00Z')
const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString()
const faultsPerFixture = 4

/** Verbs that read, a state a line, from a server. `{…}` is an id of the store. */
const remote = `
reports list
reports list --cluster shop
reports list --cluster none
reports show {run}
reports show {run} --explain
reports show {faulty}
reports show {empty}
reports compare --cluster shop
reports compare --cluster shop --explain
reports compare --cluster native
reports compare --cluster trivy-k8s-all
reports compare --from {first} --to {run}
reports compare --cluster none
reports trends --cluster shop
reports trends --cluster shop --debt
reports trends --cluster shop --checks
reports trends --by-cluster
reports freshness {run}
reports freshness --cluster shop --all
reports freshness {run} --explain
reports freshness {run} --vulnerable
reports freshness {run} --ended
reports freshness {native} --nodes
reports freshness {native} --wanted
reports freshness {empty}
reports freshness {run} --clusters
reports html {run} --compare --trends 90 --freshness --out -
reports html --all --trends 90 --out -
reports html {run} --redact names,namespaces,ids --out -
findings list {run}
findings list --cluster shop --state new,regressed
findings list --all --severity critical --group-by check
findings list --cluster none
findings show {finding}
findings show 0000000000
findings top {run}
findings top --all
findings paths {native}
findings paths --all
status
status --all
status shop
status native
status silent
status none
clusters versions argo-cd
impact
impact --cluster shop
impact --new 30d
impact --cve {cve}
impact --release {release}
upgrade plan --cluster shop
upgrade plan --cluster native
upgrade plan --cluster native --explain
upgrade plan --all
upgrade check argo-cd@2.9.0 cert-manager@1.12.0 --kubernetes 1.29 --to 1.33
upgrade path argo-cd 2.9.0
profiles list
profiles show {config}
profiles command {config}
profiles file {config} --out -
agent list
gate check {run} --no-record --fail-on new>=high
gate check {first} --no-record --fail-on new>=high
gate check {run} --no-record --fail-on findings>=critical --fail-on kubernetes-eol --fail-on major-behind>5
gate check {native} --no-record --fail-on new>=critical
gate check {faulty} --no-record --fail-on findings>=critical
gate explain {run}
gate vex {run}
gate try --cluster shop --fail-on new>=high
exceptions list
exceptions list --expired
exceptions show {exception}
projects search argo
projects search nothing-like-it
projects list --limit 20
projects show {project}
projects releases {project}
projects popular --limit 10
projects recent --limit 10
feed show --days 90
feed show --days 90 --mine
feed list
subjects list --cluster shop
subs list
webhooks list
notify preview release.security --channel slack
notify preview report.regressed --channel email
notify preview fleet.report --channel teams
notify preview digest --channel generic --format discord
notify deliveries list
notify deliveries show {delivery}
teams list
teams show default
teams subs default
keys list
metrics
owners list
stats
dashboard
export
labels list
api GET /projects -f search=argo
api GET /nothing
auth status
doctor
apply --file relt.yaml --dry-run`

/** On the store of `relt ci`, or on the server's files. */
const local = `
reports list
status
doctor
spool list
config list
auth status
agent check --config {root}examples/agent.yaml
agent status --config {root}examples/agent.yaml
agent history
teams list
teams show default
admin users list
admin users show admin
admin audit
admin verify
admin master-key status
catalog status
catalog status argo-cd
catalog advisories list argo-cd
catalog advisories show {cve}
openapi
completion bash
completion zsh
version
demo --no-pause`

/** Verbs that read no store, or change what they read. A verb that is in neither list has no case: the tool says so. */
const without = [
  'admin adopt, admin backup, admin restore',
  'admin retention run, admin store copy, admin master-key reencrypt, admin master-key recovery-kit',
  'admin master-key rotate, admin users add, admin users disable, admin users enable, admin users remove',
  'admin users set-email, admin users set-password, admin users set-plan, admin users set-role, agent install',
  'agent manifests, agent pause, agent resume, agent run, agent trigger, agent uninstall, auth login, auth logout',
  'auth switch, auth token, catalog add, catalog edit, catalog export, catalog import, catalog pull, catalog remove, catalog restore, catalog sync',
  'ci, clusters delete, clusters rename, clusters set, config set, exceptions add, exceptions expire, feed publish',
  'feed revoke, gate baseline, keys create, keys revoke, keys rotate, labels attach, labels create',
  'labels delete, labels detach, labels edit, mcp, notify deliveries retry, notify send, notify set',
  'notify test, owners set, profiles create, profiles delete, profiles edit, projects open, reports copy',
  'reports delete, reports upload, scan collect, scan inventory, scan run',
  'serve, spool drop, spool send, subjects end, subs add, subs pause, subs remove, subs resume, subs set, teams add, teams create',
  'teams delete, teams remove, teams rename, teams set, teams set-role, teams set-email, webhooks rotate-secret',
  'webhooks set',
].flatMap((line) => line.split(', '))

/** Stops the clock, gives stores equal keys with equal ids, and makes a terminal of standard output. Other random ids are masked. */
const preload = `
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
const Clock = Date
globalThis.Date = class Date extends Clock {
  constructor(...parts) { parts.length > 0 ? super(...parts) : super(${now}) }
  static now() { return ${now} }
}
const { randomBytes } = crypto
let ids = 0
crypto.randomBytes = (size, ...rest) => {
  if (size === 32 && rest.length === 0) return Buffer.alloc(32, 7)
  return size === 8 ? Buffer.alloc(8, ++ids) : randomBytes(size, ...rest)
}
syncBuiltinESMExports()
if (process.env.GOLDEN_COLUMNS) Object.assign(process.stdout, { isTTY: true, columns: Number(process.env.GOLDEN_COLUMNS) })
`

const settings = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
  NO_COLOR: '1',
  TZ: 'UTC',
  RELT_KEYCHAIN: 'off',
  RELT_DELIVERY: 'off',
  RELT_CATALOG_SYNC_HOURS: '0',
  RELT_SMTP_URL: 'smtp://127.0.0.1:9',
  RELT_SMTP_FROM: 'relt@example.com',
}

interface Side {
  checkout: string
  /** Of the server; `own` is that of the commands on this machine. */
  home: string
  own: string
  out: string
  server: Running
  ids: Record<string, string>
}

/** Everything that a side says, by a name for each. */
type Said = Map<string, string>

async function describe(checkout: string, folder: string, filter: RegExp): Promise<Said> {
  const [home, own, out] = ['home', 'own', 'out'].map((name) => join(folder, name)) as [string, string, string]
  for (const each of [home, own, out]) mkdirSync(each, { recursive: true })
  const command = [process.execPath, join(checkout, 'bin/relt.js'), 'serve', '--port', '0', '--log-level', 'error']
  const server = await start(command, home, settings)
  const side: Side = { checkout, home, own, out, server, ids: { root, delivery: 'none', cve: 'CVE-2024-40634' } }
  const said: Said = new Map()
  const add = (name: string, text: string) => said.set(name, mask(side, text))
  try {
    await fill(side, add)
    await settle(side)
    await readRoutes(side, add)
    await readPages(side, add)
    await runFiles(side, add)
    await readVerbs(side, filter, add)
  } finally {
    server.stop()
  }
  return said
}

type Add = (name: string, text: string) => void

async function ask({ server }: Side, path: string, body?: unknown, method = body ? 'POST' : 'GET') {
  const response = await fetch(server.url + path, {
    method,
    redirect: 'manual',
    headers: { authorization: server.authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

/** Fields of answers that the store is filled with. */
interface Answer {
  run_id: string
  subscription_id: number
  label_id: number
  exception_id: string
  items: {
    id: number
    fingerprint: string
    config_id: string
    delivery_id: string
    cluster_id: string
    cluster_name: string
  }[]
}

/** Something of each kind, through the interface: what a build refuses is a difference. */
async function fill(side: Side, add: Add): Promise<void> {
  const api = async (name: string, method: string, path: string, body?: unknown): Promise<Answer> => {
    const { status, text } = await ask(side, `/api/relt/v1${path}`, body, method)
    add(`store: ${name}`, status < 300 ? String(status) : `${status} ${text}`)
    return JSON.parse(text)
  }
  const upload = async (cluster: string, report: unknown, days: number, more: object = {}) => {
    const run = { finished_at: daysAgo(days).replace('T', ' ').slice(0, 19) }
    const body = { cluster: { name: cluster }, environment: 'prod', run, allow_empty: true, report, ...more }
    return (await api(`run of ${cluster}, ${days} days ago`, 'POST', '/cluster-reports', body)).run_id as string
  }
  const { ids } = side
  ids.first = await upload('shop', readJson('examples/shop-1.json'), 28)
  ids.before = await upload('shop', readJson('examples/shop-2.json'), 13)
  ids.run = await upload('shop', readJson('examples/shop-3.json'), 1)
  ids.empty = await upload('empty', { metadata: { clusterName: 'empty' }, checks: {} }, 2)
  await upload('silent', readJson('examples/shop-1.json'), 90)
  const native = 'test/fixtures/report-native-2026-04.json'
  await upload('native', readJson(native), 9)
  ids.native = await upload('native', withNews(readJson(native)), 2)
  for (const file of globSync('test/fixtures/formats/*.json', { cwd: root }).sort()) {
    await upload(basename(file, '.json'), readJson(file), 8)
    await upload(basename(file, '.json'), readJson(file), 3)
  }
  const [fault] = faultsOfFixture('kubebuddy')
  ids.faulty = await upload('faulty', JSON.parse(fault!.report), 1)

  const { items: projects } = await api('projects', 'GET', '/projects?search=argo-cd')
  ids.project = String(projects[0]!.id)
  const { items: releases } = await api('releases', 'GET', `/projects/${ids.project}/releases`)
  ids.release = String(releases[0]!.id)
  const subscription = await api('subscription', 'POST', '/toggle-sub', { product_id: projects[0]!.id })
  const label = await api('label', 'POST', '/labels', { label_name: 'platform', label_color: '#112233' })
  await api('attached label', 'POST', `/subscriptions/${subscription.subscription_id}/labels`, {
    label_ids: [label.label_id],
  })
  const { items: findings } = await api('findings', 'GET', `/findings?run_id=${ids.run}`)
  ids.finding = findings[0]!.fingerprint
  const exception = { reason: 'known', expires_on: daysAgo(-30).slice(0, 10) }
  ids.exception = (
    await api('exception', 'POST', '/exceptions', { ...exception, fingerprint: ids.finding })
  ).exception_id
  const everywhere = { ...exception, all_clusters: true }
  await api('exception of an advisory', 'POST', '/exceptions', { ...everywhere, advisory: ids.cve })
  const ended = await api('exception that matches nothing', 'POST', '/exceptions', { ...everywhere, check: 'NONE001' })
  await api('ended exception', 'POST', `/exceptions/${ended.exception_id}/expire`)
  const profile = { name: 'prod', cluster_name: 'shop', provider: 'aks' }
  await api('profile', 'POST', '/cluster-configs', profile)
  ids.config = (await api('profiles', 'GET', '/cluster-configs')).items[0]!.config_id
  const policy = 'gate:\n  fail_on:\n    - new>=high\n'
  await api('gate policy', 'PUT', '/gate-policy', { policy })
  await api('owners', 'PUT', '/owners', {
    owners: [
      { owner: 'payments', namespace: 'pay*' },
      { owner: 'platform', cluster: 'native' },
    ],
  })
  await api('feed', 'POST', '/feeds', { kind: 'releases' })
  await api('settings', 'PUT', '/account/settings', { time_zone: 'Europe/Berlin', min_severity: 'high' })
  const job = { name: 'nightly', cluster_name: 'shop', expected_every: 86_400, last_outcome: 'done' }
  const agent = { agent_id: 'agent-1', host: 'node-1', version: '0.1.0', uploads_waiting: 2, jobs: [job] }
  await api('agent', 'POST', '/agents/heartbeat', agent)
  await api('verdict', 'PUT', `/cluster-reports/${ids.run}/gate`, {
    policy: { name: 'relt.yaml', digest: 'a3'.repeat(32) },
    rules: [{ rule: 'new>=high', verdict: 'failed', reason: '2 new findings', excepted: 1 }],
  })
  await api('test mail', 'POST', '/test-notification', { channel: 'email' })
  ids.delivery = (await api('deliveries', 'GET', '/deliveries')).items[0]!.delivery_id
  const clusters = await api('clusters', 'GET', '/clusters')
  const cluster = (name: string) => clusters.items.find((each) => each.cluster_name === name)!.cluster_id
  ids.cluster = cluster('shop')
  await api('expected runs', 'PUT', `/clusters/${cluster('silent')}`, { expected_every: 86_400, labels: ['eu'] })
  await api('key', 'POST', '/api-keys', { name: 'ci', scope: 'upload' })
}

const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8').replace(/^\uFEFF/, ''))

interface Report {
  checks: Record<string, { Severity: string; Total: number; Items?: object[] | null }>
}

/** A critical finding more, and a check that passes now. */
function withNews(report: Report): Report {
  const [worse, better] = Object.values(report.checks).filter(({ Items }) => Items?.length)
  Object.assign(worse!, { Severity: 'critical', Total: worse!.Total + 1 })
  worse!.Items!.push({ ...worse!.Items![0], Namespace: 'news', Resource: 'pod/new' })
  Object.assign(better!, { Total: 0, Items: [] })
  return report
}

/** Figures of clusters are made in the background. */
async function settle(side: Side): Promise<void> {
  for (let before = ''; ; ) {
    const texts = await Promise.all(
      ['/clusters?per_page=100', '/status'].map((path) => ask(side, `/api/relt/v1${path}`)),
    )
    const text = JSON.stringify(texts)
    if (text === before) return
    before = text
    await new Promise((done) => setTimeout(done, 2000))
  }
}

/** Addresses with the ids of the store in the place of their names. */
const idNames: Record<string, string> = {
  run_id: 'run',
  fingerprint: 'finding',
  cluster_id: 'cluster',
  exception_id: 'exception',
  delivery_id: 'delivery',
  config_id: 'config',
  id: 'project',
}
const addressFor = ({ ids }: Side, path: string) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'team' ? 'default' : (ids[idNames[name] ?? name] ?? 'none'),
  )

/** Of routes and pages that need one. */
const queries: Record<string, string> = {
  '/cluster-reports/compare': '?cluster_name=shop',
  '/clusters/compare': '?from=shop&to=native',
  '/clusters/versions': '?product_id={id}',
  '/upgrade-plan': '?cluster_name=native',
  '/upgrade-path': '?project=argo-cd&version=2.9.0',
  '/compare': '?from_run_id={first}&to_run_id={run_id}',
  '/trends': '?cluster_name=shop',
}

async function readRoutes(side: Side, add: Add): Promise<void> {
  const { routes } = await import(join(side.checkout, 'src/contract/routes.ts'))
  for (const { method, path } of Object.values(routes) as { method: string; path: string }[]) {
    if (method !== 'GET') continue
    const query = queries[path] ?? ''
    const { status, text } = await ask(side, `/api/relt/v1${addressFor(side, path + query)}`)
    add(`route: GET ${path}`, `${status}\n${status === 200 && /^[{[]/.test(text) ? pretty(text) : text}`)
  }
}

async function readPages(side: Side, add: Add): Promise<void> {
  const { pages } = await import(join(side.checkout, 'src/html/pages/index.ts'))
  for (const { path } of pages as { path: string }[]) {
    const { status, text } = await ask(side, addressFor(side, path + (queries[path] ?? '')))
    add(`page: ${path}`, `${status}\n${text.replace(/></g, '>\n<')}`)
  }
}

const pretty = (text: string) => JSON.stringify(JSON.parse(text), null, 1)

interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

function relt(side: Side, args: string[], env: Record<string, string>): Promise<Outcome> {
  const inherited = { PATH: process.env.PATH, HOME: side.own, TMPDIR: tmpdir() }
  const child = spawn(process.execPath, [join(side.checkout, 'bin/relt.js'), ...args], {
    cwd: side.out,
    env: { ...inherited, ...settings, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const outcome: Outcome = { code: null, stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => (outcome.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (outcome.stderr += text))
  return new Promise((done) => child.once('close', (code) => done({ ...outcome, code })))
}

/** What `relt ci` makes of good reports, of a second scan of each, and of faulty ones. */
async function runFiles(side: Side, add: Add): Promise<void> {
  const file = join(side.out, 'report.json')
  const kinds = { summary: 'md', junit: 'xml', sarif: 'sarif', 'code-quality': 'json', html: 'html' }
  const names = Object.entries(kinds).map(([kind, ending]) => ({ kind, name: `${kind}.${ending}` }))
  const ci = async (cluster: string, text: string, days: number, files = names) => {
    writeFileSync(file, text)
    const place = ['--cluster', cluster, '--finished-at', daysAgo(days)]
    const rules = ['--fail-on', 'new>=critical', '--fail-on', 'regressed>=critical', '--fail-on', 'kubernetes-eol']
    const options = files.flatMap(({ kind, name }) => [`--${kind}`, name])
    const outcome = await relt(side, ['ci', file, ...place, ...rules, ...options], { RELT_HOME: side.own })
    return Object.entries({
      printed: format(outcome),
      ...Object.fromEntries(files.map(({ kind, name }) => [kind, readIfThere(join(side.out, name))])),
    })
  }
  const series: Record<string, string[]> = {
    shop: [1, 2, 3].map((number) => readFileSync(join(root, `examples/shop-${number}.json`), 'utf8')),
  }
  const native = 'test/fixtures/report-native-2026-04.json'
  series.native = [JSON.stringify(readJson(native)), JSON.stringify(withNews(readJson(native)))]
  for (const [cluster, texts] of Object.entries(series)) {
    for (const [at, text] of texts.entries()) {
      for (const [kind, said] of await ci(cluster, text, 20 - at)) add(`ci: ${cluster}, run ${at + 1}, ${kind}`, said)
    }
  }
  for (const name of fixturesWithFaults) {
    const good = readFileSync(join(root, `test/fixtures/formats/${name}.json`), 'utf8')
    for (const [kind, said] of await ci(name, good, 10)) add(`ci: ${name}, ${kind}`, said)
    const faults = [...faultsOfFixture(name)]
    const step = Math.floor(faults.length / faultsPerFixture)
    for (let at = step >> 1; at < faults.length; at += step) {
      const { report, path, what } = faults[at]!
      for (const [, said] of await ci(name, report, 9, [])) add(`ci: faulty ${name}: ${path} ${what}`, said)
    }
  }
  await relt(side, ['reports', 'upload', file, '--server', 'http://127.0.0.1:9', '--offline-ok'], {
    RELT_HOME: side.own,
    RELT_USERNAME: 'ada',
    RELT_PASSWORD: 'secret',
  })
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/></g, '>\n<')
  } catch {
    return ''
  }
}

const format = ({ code, stdout, stderr }: Outcome) => `exit ${code}\n${stdout}${stderr && `--- stderr\n${stderr}`}`

/** Verbs that the program has, such as `admin users list`. */
async function verbsOf(checkout: string): Promise<string[]> {
  const { commandTree } = await import(join(checkout, 'scripts/command-tree.ts'))
  const commands = (await commandTree()) as { name: string; verbs: string[] }[]
  return commands.filter(({ verbs }) => verbs.length === 0).map(({ name }) => name.replace('relt ', ''))
}

const lines = (text: string) => text.trim().split('\n')
const verbFor = (verbs: string[], line: string) =>
  verbs.filter((verb) => `${line} `.startsWith(`${verb} `)).sort((a, b) => b.length - a.length)[0]

async function readVerbs(side: Side, filter: RegExp, add: Add): Promise<void> {
  const password = Buffer.from(side.server.authorization.replace('Basic ', ''), 'base64').toString().slice(6)
  const there = { RELT_SERVER: side.server.url, RELT_USERNAME: 'admin', RELT_PASSWORD: password, RELT_HOME: side.own }
  const verbs = await verbsOf(side.checkout)
  const cases = [
    ...lines(remote).map((line) => ({ line, name: line, env: there })),
    ...lines(local).map((line) => ({
      line,
      name: `${line} (local)`,
      env: { RELT_HOME: line.startsWith('admin') ? side.home : side.own },
    })),
  ].filter(({ line, name }) => verbFor(verbs, line) && filter.test(name))
  writeFileSync(
    join(side.out, 'relt.yaml'),
    'subscriptions:\n  - project: Argo CD\nlabels:\n  - name: platform\n    color: "#112233"\n',
  )
  const waiting = cases.values()
  const work = async () => {
    for (const { line, name, env } of waiting) {
      const args = line.split(' ').map((word) => word.replace(/\{(\w+)\}/g, (_, id: string) => side.ids[id] ?? id))
      add(`verb: ${name}`, format(await relt(side, args, env)))
      add(`verb: ${name} in 80 columns`, format(await relt(side, args, { ...env, GOLDEN_COLUMNS: '80', PAGER: 'cat' })))
      add(`verb: ${name} in JSON`, format(await relt(side, [...args, '--json'], env)))
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
}

/** Ids by the order in which a text names them, addresses and folders of this run, and durations. */
function mask({ server, home, own, out, checkout }: Side, text: string): string {
  const seen = new Map<string, string>()
  const known = {
    [root]: 'CHECKOUT/',
    [server.url]: 'SERVER',
    [out]: 'OUT',
    [home]: 'HOME',
    [own]: 'OWN',
    [checkout]: 'CHECKOUT',
  }
  let masked = text
  for (const [found, word] of Object.entries(known)) masked = masked.replaceAll(found, word)
  const ids =
    /\b(?:crun|clus|spl|exc|ccfg|scope|doc|msg|feed|relt)(?:_|-|&#95;)[a-z0-9]{8,}\b|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|(?<=_wpnonce" value=")\w+|127\.0\.0\.1:\d+/g
  return masked
    .replace(ids, (id) => seen.get(id) ?? seen.set(id, `ID${seen.size + 1}`).get(id)!)
    .replace(/\b\d+(\.\d+)? ?(ms|MB free|seconds off)\b/g, 'N $2')
}

/** A verb, page, route or file, with all of its states. */
const subjectFor = (verbs: string[], name: string) => {
  const [kind, rest = ''] = name.split(/: (.*)/)
  return kind === 'verb' ? (verbFor(verbs, rest) ?? rest) : kind!
}

const [before, after, only = ''] = process.argv.slice(2)
if (!before || !after) throw new Error('Usage: npm run golden -- BEFORE AFTER [filter]')
const folder = mkdtempSync(join(tmpdir(), 'relt-golden-'))
const verbs = await Promise.all([before, after].map((checkout) => verbsOf(resolve(checkout))))
const said: Said[] = []
for (const [at, checkout] of [before, after].entries())
  said.push(await describe(resolve(checkout), join(folder, String(at)), new RegExp(only)))
const [old, fresh] = said as [Said, Said]

for (const [at, name] of ['before.txt', 'after.txt'].entries())
  writeFileSync(join(folder, name), [...said[at]!].map(([name, text]) => `== ${name}\n${text}\n`).join('\n'))
const all = [...new Set(verbs.flat())].sort()
const inBoth = all.filter((verb) => verbs.every((some) => some.includes(verb)))
const oneSided = [
  ...verbs[0]!.filter((verb) => !verbs[1]!.includes(verb)).map((verb) => `only before: relt ${verb}`),
  ...verbs[1]!.filter((verb) => !verbs[0]!.includes(verb)).map((verb) => `only after: relt ${verb}`),
  ...[...old.keys()]
    .filter((name) => !fresh.has(name) && /^(page|route)/.test(name))
    .map((name) => `only before: ${name}`),
  ...[...fresh.keys()]
    .filter((name) => !old.has(name) && /^(page|route)/.test(name))
    .map((name) => `only after: ${name}`),
]
/** The same refusal of both is no state. */
const missing = [...fresh]
  .filter(([name, text]) => name.startsWith('store') && !text.startsWith('2'))
  .map(([name]) => name)
const cases = [...lines(remote), ...lines(local), ...without]
const uncovered = inBoth.filter((verb) => !cases.some((line) => verbFor(all, line) === verb))
const different = [...old.keys()].filter((name) => fresh.has(name) && old.get(name) !== fresh.get(name))
const states = Map.groupBy(
  [...old.keys()].filter((name) => fresh.has(name)),
  (name) => subjectFor(all, name),
)
for (const [subject, names] of states) {
  const changed = names.filter((name) => different.includes(name)).length
  console.log(`${subject}: ${names.length} states, ${changed === 0 ? 'equal' : `${changed} differ`}`)
}
for (const name of different) {
  for (const [at, side] of said.entries()) writeFileSync(join(folder, ['old', 'new'][at]!), side.get(name)!)
  const { stdout } = spawnSync('diff', ['-U1', join(folder, 'old'), join(folder, 'new')], { encoding: 'utf8' })
  console.log(`\n== ${name}\n${stdout.split('\n').slice(2, 40).join('\n')}`)
}
for (const line of oneSided) console.log(line)
for (const name of missing) console.log(`no data: ${name}: ${fresh.get(name)}`)
for (const verb of uncovered) console.log(`no case: relt ${verb}`)
console.log(`${old.size} texts before, ${fresh.size} after, ${different.length} differ: ${folder}`)
if (different.length + uncovered.length + missing.length > 0) process.exitCode = 1
