/** What the server is measured against: hono routes with nothing around them but the same SQL, or a constant. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createLocalClient } from '../src/client/local.ts'

const home = process.env.RELT_HOME!
const db = new DatabaseSync(join(home, 'relt.db'))
const client = await createLocalClient({ env: process.env, now: () => Math.floor(Date.now() / 1000) })
const found = await client.call('listProjects', { query: { search: 'argo' } })
const constant = JSON.stringify(found)

const matched = 'id in (select rowid from project_search where project_search match ?)'
const rank = `case when name like ? then 0 when name like ? then 1 when name like ? then 2 when name like ? then 3 else 4 end`
const app = new Hono()

app.get('/constant', () => answer(constant))

app.get('/api/relt/v1/projects', (c) => {
  const search = c.req.query('search')!
  const phrase = `"${search}"`
  db.prepare(`select count(*) as total from project where ${matched}`).get(phrase)
  const rows = db
    .prepare(`select * from project where ${matched} order by ${rank}, name collate nocase, id limit 20`)
    .all(phrase, search, `${search}%`, `% ${search}%`, `%${search}%`)
  return answer(JSON.stringify({ ...found, items: rows.map((row, i) => ({ ...found.items[i], id: row.id })) }))
})

app.get('/api/relt/v1/projects/:id/releases', async (c) => {
  const id = Number(c.req.param('id'))
  db.prepare('select * from project where id = ?').get(id)
  const { total } = db.prepare(`select count(*) as total from release where project_id = ? and type = 'app'`).get(id)!
  const items = db
    .prepare(`select id, project_id as product_id, version, type, release_notes, url, published_at, has_security_fix,
      security_severity, chart_name from release where project_id = ? and type = 'app'
      order by published_at desc, id limit 20`)
    .all(id)
    .map((row) => ({ ...row, published_at: '2026-08-12 00:00:00', has_security_fix: false, chart_name: null }))
  return answer(JSON.stringify({ page: 1, per_page: 20, total, total_pages: 2, items }))
})

function answer(body: string): Response {
  return new Response(body, { headers: { 'Content-Type': 'application/json; charset=utf-8' } })
}

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(`http://127.0.0.1:${port}`))
