import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { up as composeNames } from '../../src/db/migrations/0012-composed-names.ts'
import { openDatabase } from '../../src/db/open.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { scan } from '../reports/scan.ts'
import { basic } from './http.ts'
import { openServer } from './socket.ts'

const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301']

interface Answer {
  items: unknown[]
  labels: { label_name: string }[]
}

/** What a store of an earlier release can have. */
const earlier = [
  sql`update cluster set name = ${decomposed}, environment = ${decomposed}`,
  sql`update label set name = ${decomposed} where name = 'free'`,
  sql`insert into label (user_id, name, color) select user_id, 'e\u0301', color from label where name = '\u00e9'`,
  sql`update cluster_config set cluster_name = ${decomposed}`,
  sql`update project set name = ${decomposed} where name = 'Own project'`,
]

test('names that an earlier release stored in another Unicode form are found after the upgrade', async () => {
  const data = temporaryFolder()
  const first = await openServer({ data })
  const authorization = basic(first.told.admin!.login, first.told.admin!.password)
  const callOn = (url: string) => async (path: string, body?: object) => {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const headers = { authorization, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/relt/v1${path}`, { ...init, headers })
    return (await answer.json()) as Answer
  }
  const before = callOn(first.url)
  await before('/cluster-reports', { cluster: { name: 'shop' }, report: scan([{ message: 'a' }]) })
  for (const label_name of ['free', '\u00e9']) await before('/labels', { label_name, label_color: '#000000' })
  await before('/cluster-configs', { name: 'shop', cluster_name: 'shop' })
  await before('/sync-projects', { projects: [{ name: 'Own project' }] })
  await first.stop()

  const db = await openDatabase(join(data, 'relt.db'))
  for (const statement of earlier) await statement.execute(db)
  await db.transaction().execute((trx) => composeNames(trx as never))
  await db.destroy()

  const second = await openServer({ data })
  onTestFinished(() => second.stop())
  const after = callOn(second.url)
  const name = encodeURIComponent(composed)
  expect(await after(`/cluster-reports?cluster_name=${name}&environment=${name}`)).toMatchObject({ total: 1 })
  expect((await after('/cluster-configs')).items).toMatchObject([{ cluster_name: composed }])
  expect(await after(`/projects?search=${name}`)).toMatchObject({ items: [{ name: composed }] })
  const { labels } = await after('/labels')
  const names = labels.map(({ label_name }) => label_name)
  // The third one's composed form is taken.
  expect(names.toSorted()).toEqual([composed, 'e\u0301', '\u00e9'])
})
