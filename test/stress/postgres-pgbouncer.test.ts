import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { findMeta, setMeta } from '../../src/db/meta.ts'
import { openPostgres } from '../../src/db/postgres/open.ts'
import { write } from '../../src/db/transaction.ts'
import { ensureCatalog } from '../../src/operations/catalog/bundled.ts'
import { listProjects } from '../../src/store/catalog/project.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { freePort } from '../helpers/free-port.ts'
import { runAsAdministrator, toAddress } from '../helpers/postgres.ts'

const server = inject('postgres')
const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0

test.skipIf(!server || !isInstalled)(
  'four servers start at once over two connections of PgBouncer in transaction mode, and share them',
  async () => {
    const address = toAddress(server!, `bouncer_${process.pid}`)
    await runAsAdministrator(server!, `create database ${address.database} encoding 'UTF8' template template0`)
    const port = await startPgBouncer()
    const servers = await Promise.all([1, 2, 3, 4].map(() => openPostgres({ ...address, port })))
    onTestFinished(async () => void (await Promise.all(servers.map((db) => db.destroy()))))
    await Promise.all(servers.map((db) => ensureCatalog(db, 1)))
    const add = (index: number) =>
      write(servers[index % 4]!, 'event routing', async (trx) => {
        const count = Number((await findMeta(trx, 'events_routed')) ?? 0)
        if (count < 10) await setMeta(trx, 'events_routed', String(count + 1))
        return count < 10
      })
    const added = await Promise.all(Array.from({ length: 40 }, (_, index) => add(index)))
    expect(added.filter(Boolean)).toHaveLength(10)
    const found = await Promise.all(servers.map((db) => listProjects(db, { search: 'argo', page: 1, perPage: 20 })))
    expect(found[0]!.total).toBeGreaterThan(3)
    expect(found[1]).toEqual(found[0])
    expect(found[2]).toEqual(found[0])
  },
)

async function startPgBouncer(): Promise<number> {
  const folder = temporaryFolder()
  const port = await freePort()
  writeFileSync(join(folder, 'users.txt'), `"${server!.user}" "${server!.password}"\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${server!.host} port=${server!.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = plain
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 2
unix_socket_dir =
`,
  )
  chmodSync(folder, 0o755)
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const child = spawn('pgbouncer', [...user, join(folder, 'pgbouncer.ini')], { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.stderr.on('data', (text: Buffer) => text.includes('process up') && resolve())
  child.once('exit', (code) => reject(new Error(`pgbouncer ended with ${code}`)))
  await promise
  return port
}
