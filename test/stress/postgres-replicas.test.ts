import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { generator } from '../../bench/generate-report.ts'
import { openAdmin } from '../../src/admin/admin.ts'
import { openPostgres } from '../../src/db/postgres/open.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { createKey } from '../helpers/create-key.ts'
import { distinctReport } from '../helpers/distinct-report.ts'
import { runAsAdministrator, toAddress } from '../helpers/postgres.ts'
import { startServer } from '../helpers/postgres-server.ts'
import { ServerProcess } from '../helpers/server-process.ts'
import { basic } from '../server/http.ts'

const uploads = Number(process.env.RELT_STRESS_UPLOADS ?? 600)
const users = 20
const replicas = 3
const atOnce = 6
const kills = 10

test.skipIf(!inject('postgres'))(
  'each answered upload is stored once over three servers, ten kills and a restart of the database',
  async () => {
    const { server, restart, stop } = (await startServer())!
    onTestFinished(stop)
    await runAsAdministrator(server, "create database replicas encoding 'UTF8' template template0")
    const { host, port, user, password } = server
    const shared = {
      RELT_DATABASE_URL: `postgres://${user}@${host}:${port}/replicas`,
      PGPASSWORD: password,
      RELT_MASTER_KEY: randomBytes(32).toString('hex'),
    }
    const folder = temporaryFolder()
    const servers = Array.from({ length: replicas }, (_, i) => new ServerProcess(join(folder, `${i}`), shared))
    // An empty database: one of the three migrates it and creates the data keys.
    await Promise.all(servers.map((each) => each.start()))
    onTestFinished(async () => void (await Promise.all(servers.map((each) => each.kill()))))
    const authorizations = await addUsers({ ...shared, RELT_HOME: folder, RELT_KEYCHAIN: 'off' })

    const random = generator(5)
    const answered = new Map<number, string>()
    let next = 0
    let disturbed = Promise.resolve()
    let disturbances = 0

    async function upload(number: number): Promise<string> {
      const headers = {
        authorization: authorizations[number % users]!,
        'content-type': 'application/json',
        'idempotency-key': `upload-${number}`,
      }
      const body = JSON.stringify({
        report: distinctReport(number, 30),
        cluster: { name: `cluster-${number % 7}`, environment: 'prod' },
      })
      for (let attempt = 0; attempt < 3000; attempt++) {
        const url = servers[Math.floor(random() * replicas)]!.url
        const answer = await fetch(`${url}/cluster-reports`, { method: 'POST', headers, body }).catch(() => undefined)
        if (answer?.ok) return ((await answer.json()) as { run_id: string }).run_id
        if (answer && answer.status < 500) throw new Error(`${answer.status} ${await answer.text()}`)
        await sleep(20)
      }
      throw new Error(`Upload ${number} was never answered.`)
    }

    async function keepUploading(): Promise<void> {
      while (next < uploads) {
        const number = next++
        answered.set(number, await upload(number))
        const due = Math.floor((answered.size * (kills + 2)) / uploads)
        if (due <= disturbances || disturbances > kills) continue
        const disturbance = ++disturbances
        disturbed = disturbed.then(() =>
          disturbance === 6 ? restart() : servers[Math.floor(random() * replicas)]!.restart(),
        )
      }
    }

    await Promise.all(Array.from({ length: atOnce }, keepUploading))
    await disturbed
    const db = await openPostgres(toAddress(server, 'replicas'))
    onTestFinished(() => db.destroy())
    const stored = await db.selectFrom('run').select(['run_id', 'idempotency_key']).execute()
    expect(answered.size).toBe(uploads)
    expect(stored.map((run) => [run.idempotency_key, run.run_id]).sort()).toEqual(
      [...answered].map(([number, runId]) => [`upload-${number}`, runId]).sort(),
    )
    const { rows: keys } =
      await sql`select purpose, count(*) as count from data_key group by purpose order by purpose`.execute(db)
    expect(keys.every((key) => (key as { count: number }).count === 1)).toBe(true)
    for (const { url } of servers) expect((await fetch(url.replace('/api/relt/v1', '/readyz'))).status).toBe(200)
  },
)

async function addUsers(env: Record<string, string>): Promise<string[]> {
  const store = { env, now: () => Math.floor(Date.now() / 1000) }
  const admin = await openAdmin(store)
  try {
    const authorizations: string[] = []
    for (let index = 0; index < users; index++) {
      const login = `user-${index}`
      await admin.addUser({ login, email: undefined, role: 'user', plan: 'pro_plus' })
      authorizations.push(basic(login, await createKey(store, login)))
    }
    return authorizations
  } finally {
    await admin.close()
  }
}
