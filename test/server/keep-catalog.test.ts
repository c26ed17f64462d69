import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/db/open.ts'
import { openGithub } from '../collectors/github-server.ts'
import { addProjects, repositoriesFor, slugs } from '../collectors/projects.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { addFacts, laterBundle, laterDay, newKey, publish, signed } from '../operations/catalog/publisher.ts'
import { now } from '../operations/service.ts'
import { openServer } from './socket.ts'

/** A store with projects of one's own alone: those of the bundled catalog have charts at real hosts. */
async function newStore(names: string[]): Promise<string> {
  const data = temporaryFolder()
  const first = await openServer({ data })
  await fetch(`${first.url}/api/relt/v1/stats`)
  await first.stop()
  const db = await openDatabase(join(data, 'relt.db'))
  await sql`delete from project`.execute(db)
  await addProjects(db, names, now)
  await db.destroy()
  return data
}

const isSynced = ({ msg }: { msg?: unknown }) => msg === 'synced the catalog'

test('a server looks for releases after its start, when it is told to', async () => {
  const names = slugs(5)
  const github = await openGithub(repositoriesFor(names))
  const data = await newStore(names)
  const env = { RELT_GITHUB_URL: github.url, RELT_GITHUB_API_URL: github.url, RELT_CATALOG_SYNC_HOURS: '6' }
  const { log, url } = await openServer({ data }, env)
  await expect.poll(() => log.entries.find(isSynced)).toMatchObject({ total: 5, outcomes: { changed: 5 }, added: 26 })
  const stats = (await (await fetch(`${url}/api/relt/v1/stats`)).json()) as { total_releases: number }
  expect(stats.total_releases).toBe(26)
})

test('a server that is not told to asks nobody', async () => {
  const github = await openGithub(repositoriesFor(slugs(2)))
  const data = await newStore(slugs(2))
  const { log, stop } = await openServer({ data }, { RELT_GITHUB_URL: github.url })
  await stop()
  expect([github.asked, log.entries.some(isSynced)]).toEqual([[], false])
})

test('a server that stops does not wait for a host that does not answer', async () => {
  const github = await openGithub(repositoriesFor(slugs(2)))
  github.fault = () => true
  const data = await newStore(slugs(2))
  const { stop, log } = await openServer({ data }, { RELT_GITHUB_URL: github.url, RELT_CATALOG_SYNC_HOURS: '1' })
  await stop()
  expect(log.entries.find(({ level }) => level === 'error')).toBeUndefined()
})

test('a server pulls the published catalog after its start, when an address is set, and says nothing otherwise', async () => {
  const key = newKey()
  const { address, asked } = await publish(await signed(laterBundle(addFacts), key))
  const data = temporaryFolder()
  const { log, url } = await openServer({ data }, { RELT_CATALOG_URL: address, RELT_CATALOG_KEY: key.publicKey })
  const pulled = () => log.entries.find(({ msg }) => msg === 'pulled the catalog')
  await expect.poll(pulled).toMatchObject({ isNew: true, date: laterDay, edition: 1 })
  const stats = (await (await fetch(`${url}/api/relt/v1/stats`)).json()) as { catalog_date: string }
  expect([stats.catalog_date, asked.length]).toEqual([laterDay, 1])
})

test('a server whose publisher does not answer says so, and answers from what it has', async () => {
  const data = temporaryFolder()
  const env = { RELT_CATALOG_URL: 'http://127.0.0.1:1/catalog.relt', RELT_CATALOG_KEY: newKey().publicKey }
  const { log, url } = await openServer({ data }, env)
  const failed = () => log.entries.find(({ msg }) => msg === 'catalog pull failed')
  await expect.poll(failed).toMatchObject({ level: 'error' })
  expect((await fetch(`${url}/api/relt/v1/stats`)).status).toBe(200)
})
