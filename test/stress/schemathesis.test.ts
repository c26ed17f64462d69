import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../helpers/cli.ts'
import { reltFile, start } from '../helpers/process.ts'
import { ServerProcess } from '../helpers/server-process.ts'
import { scan } from '../reports/scan.ts'
import { basic } from '../server/http.ts'

const folder = fileURLToPath(new URL('./schemathesis', import.meta.url))
/** `pip install schemathesis==4.32.5` */
const executable = process.env.SCHEMATHESIS ?? 'schemathesis'
const isInstalled = spawnSync(executable, ['--version']).status === 0
/** For each role. */
const fuzzingSeconds = process.env.SCHEMATHESIS_SECONDS ?? '90'
const statefulSeconds = process.env.SCHEMATHESIS_STATEFUL_SECONDS ?? '80'

interface Role {
  role: string
  /** Of the account; anonymous without. */
  account?: { plan: string; role: string }
  limits?: string
  /** Role in the account's team. */
  team?: string
  /** Scope of the key. */
  scope?: string
}

const paying = { plan: 'pro', role: 'user' }

const roles: Role[] = [
  { role: 'anonymous' },
  { role: 'user', account: paying },
  { role: 'admin', account: { plan: 'pro-plus', role: 'admin' } },
  { role: 'free user', account: { plan: 'free', role: 'user' }, limits: 'interface' },
  { role: 'team viewer', account: paying, team: 'viewer' },
  { role: 'team member', account: paying, team: 'member' },
  { role: 'team owner', account: paying, team: 'owner' },
  { role: 'read-only key', account: paying, scope: 'read' },
  { role: 'upload-only key', account: paying, scope: 'upload' },
]

const job = { name: 'nightly', cluster_name: 'prod', expected_every: 86_400 }
const heartbeat = { agent_id: 'agent-1', host: 'ci', version: '0.1.0', uploads_waiting: 0, jobs: [job] }

async function run(home: string, ...argv: string[]) {
  const { code, stdout, stderr } = await start(reltFile, [...argv, '--json'], { RELT_HOME: home }).finished
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

/** A server with an account of this role that has some of everything. Free accounts had another plan before. */
async function openWorld({ account, limits, team, scope = 'all' }: Role) {
  const home = temporaryFolder()
  await run(home, 'admin', 'users', 'add', 'root', '--plan', 'pro-plus', '--role', 'admin')
  const server = new ServerProcess(home, {
    RELT_RATE_LIMIT_USER: '0',
    RELT_RATE_LIMIT_ADDRESS: '0',
    ...(limits && { RELT_PLAN_LIMITS: limits }),
  })
  await server.start()
  onTestFinished(() => server.kill())
  if (!account) return { server, key: undefined }
  await run(home, 'admin', 'users', 'add', 'ada', '--plan', 'pro', '--role', account.role)
  if (team) {
    await run(home, 'teams', 'create', 'platform', '--owner', 'root')
    await run(home, 'teams', 'add', 'platform', 'ada', '--role', 'owner')
  }
  const createKey = async (name: string, ...more: string[]) =>
    await run(home, 'keys', 'create', name, '--as', 'ada', ...more)
  const { password } = await createKey('all')
  const { password: secret, item } = await createKey('tested', '--scope', scope)
  const post = async (path: string, body: object) => {
    const headers = { authorization: basic('ada', password), 'content-type': 'application/json' }
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.ok, path).toBe(true)
  }
  await post('/toggle-sub', { product_id: 1 })
  await post('/labels', { label_name: 'prod', label_color: '#1f6feb' })
  await post('/cluster-configs', { name: 'prod', provider: 'kubernetes' })
  await post('/exceptions', { check: 'A', all_clusters: true, reason: 'Known', expires_on: '2099-12-31' })
  await post('/agents/heartbeat', heartbeat)
  for (const message of ['a', 'b']) await post('/cluster-reports', { report: scan([{ message }]) })
  if (account.plan !== paying.plan) await run(home, 'admin', 'users', 'set-plan', 'ada', account.plan)
  if (team) await run(home, 'teams', 'set-role', 'platform', 'ada', team)
  return { server, key: { password: secret, uuid: item.uuid } }
}

/** Of about 160, most of which schemathesis guesses; a usual run follows 80 to 110. */
const fewestLinks = 20

/** Others are refused where most links begin. */
const isPaying = ({ account, scope }: Role) => account !== undefined && account.plan !== 'free' && scope === undefined

/** Stateful tests follow links, which needs longer chains of requests than schemathesis makes by itself. */
const parts = [
  { phases: 'examples,coverage,fuzzing', seconds: fuzzingSeconds },
  { phases: 'stateful', seconds: statefulSeconds },
]

test.skipIf(!isInstalled).each(roles)('schemathesis finds nothing as $role', async (role) => {
  const { server, key } = await openWorld(role)
  for (const { phases, seconds } of parts) {
    const options = ['--checks', 'all', '--phases', phases, '--max-time', seconds, '--no-color', '--warnings', 'off']
    const { exitCode, stdout } = await execa(
      executable,
      [
        ...['--config-file', `${folder}/schemathesis.toml`, 'run', `${server.url}/openapi.json`, ...options],
        ...(key ? ['--auth', `ada:${key.password}`] : []),
      ],
      {
        cwd: temporaryFolder(),
        env: { SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: folder, RELT_TESTED_KEY: key?.uuid ?? '' },
        reject: false,
      },
    )
    const { SCHEMATHESIS_OUTPUT: output } = process.env
    if (output) appendFileSync(`${output}/${role.role}.txt`, stdout)
    expect(exitCode, stdout).toBe(0)
    const links = Number(/API Links: +(\d+) covered/.exec(stdout)?.[1])
    if (phases === 'stateful' && isPaying(role)) expect(links, stdout).toBeGreaterThanOrEqual(fewestLinks)
  }
  if (key) expect(await isAccepted(server.url, key.password)).toBe(true)
})

/** A run that revokes its own key would pass, because refused requests are expected. */
async function isAccepted(url: string, password: string): Promise<boolean> {
  const { status } = await fetch(`${url}/api-keys/current`, { headers: { authorization: basic('ada', password) } })
  return status !== 401 && status !== 429
}
