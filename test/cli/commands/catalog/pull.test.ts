import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { bundledCatalogDate } from '../../../../src/catalog/date.ts'
import pullVerb from '../../../../src/cli/commands/catalog/pull.ts'
import { findMeta } from '../../../../src/db/meta.ts'
import { openDatabase } from '../../../../src/db/open.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { parse } from '../../../helpers/output.ts'
import { reltFile, start } from '../../../helpers/process.ts'
import {
  addFacts,
  dayBefore,
  laterBundle,
  laterDay,
  newKey,
  publish,
  signed,
} from '../../../operations/catalog/publisher.ts'

const key = newKey()

test('takes its options', async () => {
  expect(await parse(pullVerb, [])).toEqual([undefined, {}])
  const argv = ['oci://x.example/catalog:1', '--key', key.publicKey]
  expect(await parse(pullVerb, argv)).toEqual(['oci://x.example/catalog:1', { key: key.publicKey }])
})

test('pulls from the address that is set, for other commands to use, and says when nothing is new', async () => {
  const home = temporaryFolder()
  const { address } = await publish(await signed(laterBundle(addFacts), key))
  const env = { RELT_CATALOG_URL: address, RELT_CATALOG_KEY: key.publicKey, NO_COLOR: '1' }
  const run = (...argv: string[]) => runCli(argv, { home, env })
  const first = await run('catalog', 'pull')
  expect(first).toMatchObject({ code: 0, stdout: '' })
  expect(first.stderr).toBe(`✓ Imported the catalog of ${laterDay}, edition 1, signed by ${key.publicKey}\n`)
  expect((await run('projects', 'releases', 'argo-cd')).stdout).toContain('v99.0.0')
  expect(
    (await run('catalog', 'status', 'argo-cd')).stderr + (await run('catalog', 'status', 'argo-cd')).stdout,
  ).toContain(`retired projects, bad releases, closed and moved repositories, upgrade rules: ${laterDay} (bundled)`)

  expect((await run('catalog', 'pull')).stderr).toBe('✓ Already current: the published catalog has not changed\n')
  expect(JSON.parse((await run('catalog', 'pull', '--json')).stdout)).toEqual({ success: true, changed: false })
  const other = await publish(
    await signed(
      laterBundle(() => {}, { date: dayBefore }),
      key,
    ),
  )
  expect(JSON.parse((await run('catalog', 'pull', other.address, '--json')).stdout)).toEqual({
    success: true,
    changed: false,
    date: laterDay,
    edition: 1,
    signed_by: key.publicKey,
  })
})

test('takes the same file by import, where there is no network', async () => {
  const home = temporaryFolder()
  const file = join(home, 'catalog-1.relt')
  writeFileSync(file, await signed(laterBundle(), key))
  const run = (...more: string[]) => runCli(['catalog', 'import', file, ...more], { home, env: { NO_COLOR: '1' } })
  expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('--require-signature ed25519:...') })
  expect((await run('--require-signature', key.publicKey)).stderr).toContain(`Imported the catalog of ${laterDay}`)
})

test('says what to do without an address, a key or an answer', async () => {
  const home = temporaryFolder()
  const run = (...argv: string[]) => runCli(['catalog', 'pull', ...argv], { home })
  const none = await run()
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('no public one before the first release') })
  expect(none.stderr).toMatch(/relt catalog sync, or relt catalog import FILE/)
  expect(await run('https://x.example/c')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('RELT_CATALOG_KEY'),
  })
  const secret = await run('https://me:hunter2@x.example/c', '--key', key.publicKey)
  expect(secret.code).toBe(2)
  expect(secret.stderr).not.toContain('hunter2')
  const gone = await run('http://127.0.0.1:1/c', '--key', key.publicKey)
  expect(gone).toMatchObject({ code: 7, stderr: expect.stringContaining('relt catalog import FILE') })
})

test('a pull that is killed leaves the store before or after it, and is repeated', async () => {
  const home = temporaryFolder()
  await runCli(['stats'], { home })
  const { address } = await publish(await signed(laterBundle(addFacts), key))
  const pull = () => start(reltFile, ['catalog', 'pull', address, '--key', key.publicKey], { RELT_HOME: home })
  const stored = async () => {
    const db = await openDatabase(join(home, 'relt.db'))
    const newest = db.selectFrom('project').select('latest_version').where('slug', '=', 'argo-cd')
    const found = [
      await findMeta(db, 'catalog_date'),
      (await findMeta(db, 'catalog_bundle')) !== undefined,
      (await newest.executeTakeFirst())?.latest_version === 'v99.0.0',
    ]
    await db.destroy()
    return found
  }
  const before = [bundledCatalogDate, false, false]
  const after = [laterDay, true, true]
  for (const delayMs of [200, 400, 600, 800, 1000]) {
    const { child, finished } = pull()
    await sleep(delayMs)
    child.kill('SIGKILL')
    await finished
    const found = await stored()
    expect(found).toEqual(found[1] ? after : before)
  }
  expect(await pull().finished).toMatchObject({ code: 0 })
  expect(await stored()).toEqual(after)
})
