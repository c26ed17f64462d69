import { spawnSync } from 'node:child_process'
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
/** For each role: fuzzing and stateful tests go on for so long. */
const seconds = process.env.SCHEMATHESIS_SECONDS ?? '120'

interface Role {
  role: string
  /** Of the account; anonymous without. */
  account?: { plan: string; role: string }
  limits?: string
}

const roles: Role[] = [
  { role: 'anonymous' },
  { role: 'user', account: { plan: 'pro', role: 'user' } },
  { role: 'admin', account: { plan: 'pro-plus', role: 'admin' } },
  { role: 'free user', account: { plan: 'free', role: 'user' }, limits: 'interface' },
]

async function run(home: string, ...argv: string[]) {
  const { code, stdout, stderr } = await start(reltFile, [...argv, '--json'], { RELT_HOME: home }).finished
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

/** A server with an account of this role that has some of everything. Free accounts had another plan before. */
async function openWorld({ account, limits }: Role) {
  const home = temporaryFolder()
  await run(home, 'admin', 'users', 'add', 'root', '--plan', 'pro-plus', '--role', 'admin')
  const server = new ServerProcess(home, {
    RELT_RATE_LIMIT_USER: '0',
    RELT_RATE_LIMIT_ADDRESS: '0',
    ...(limits && { RELT_PLAN_LIMITS: limits }),
  })
  await server.start()
  onTestFinished(() => server.kill())
  if (!account) return { server, auth: [] }
  await run(home, 'admin', 'users', 'add', 'ada', '--plan', 'pro', '--role', account.role)
  const { password } = await run(home, 'admin', 'keys', 'create', 'ada', '--name', 'test')
  const post = async (path: string, body: object) => {
    const headers = { authorization: basic('ada', password), 'content-type': 'application/json' }
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.ok, path).toBe(true)
  }
  await post('/toggle-sub', { product_id: 1 })
  await post('/labels', { label_name: 'prod', label_color: '#1f6feb' })
  await post('/cluster-configs', { name: 'prod', provider: 'kubernetes' })
  for (const message of ['a', 'b']) await post('/cluster-reports', { report: scan([{ message }]) })
  await run(home, 'admin', 'users', 'set-plan', 'ada', account.plan)
  return { server, auth: ['--auth', `ada:${password}`] }
}

test.skipIf(!isInstalled).each(roles)('schemathesis finds nothing as $role', async (role) => {
  const { server, auth } = await openWorld(role)
  const options = ['--checks', 'all', '--max-time', seconds, '--no-color', '--warnings', 'off', ...auth]
  const { exitCode, stdout } = await execa(
    executable,
    ['--config-file', `${folder}/schemathesis.toml`, 'run', `${server.url}/openapi.json`, ...options],
    { cwd: temporaryFolder(), env: { SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: folder }, reject: false },
  )
  expect(exitCode, stdout).toBe(0)
})
