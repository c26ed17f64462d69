/** The server on PostgreSQL is measured against these hono routes, which only run the same SQL over a pool of `pg`. */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.RELT_DATABASE_URL!, max: 8 })
const toRows = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows

const [{ secret_hash: secretHash, user_id: userId }] = await toRows('select secret_hash, user_id from api_key limit 1')

const authenticate = () =>
  toRows(
    `select api_key.id as key_id, secret_hash, last_used_at, expires_at, uuid, scope,
        "user".id, "user".login, "user".role, "user".plan
      from api_key join "user" on "user".id = api_key.user_id where secret_hash = $1`,
    [secretHash],
  )

const app = new Hono()

app.get('/api/relt/v1/projects/:id/releases', async (c) => {
  const id = Number(c.req.param('id'))
  await authenticate()
  await toRows('select * from project where id = $1', [id])
  const rows = await toRows(
    'select * from release where project_id = $1 and type = $2 order by published_at desc, id limit $3 offset $4',
    [id, 'app', 20, 0],
  )
  const [{ total }] = await toRows('select count(*) as total from release where project_id = $1 and type = $2', [
    id,
    'app',
  ])
  const items = rows.map(({ project_id, created_at: _, origin: __, ...row }) => ({ ...row, product_id: project_id }))
  return c.json({ page: 1, per_page: 20, total, total_pages: 2, items })
})

app.get('/api/relt/v1/cluster-reports', async (c) => {
  await authenticate()
  const [account] = await toRows(
    `select owner.id, null as team, 'owner' as role, "user".plan,
        exists (select 1 from team_member where user_id = owner.user_id and is_default = 1) as has_default
      from owner join "user" on "user".id = owner.user_id where owner.user_id = $1`,
    [userId],
  )
  const [{ name }] = await toRows(
    `select cluster.id, cluster.name, cluster.environment from cluster left join run on run.cluster_id = cluster.id
      where cluster.owner_id = $1 order by run.id desc limit $2`,
    [account.id, 1],
  )
  await toRows(
    `select cluster.id, cluster.name, cluster.environment from cluster left join run on run.cluster_id = cluster.id
      where cluster.owner_id = $1 and cluster.name = $2 order by run.at desc, run.id desc limit $3`,
    [account.id, name, 1],
  )
  const all = await toRows(
    'select id, name, environment from cluster where owner_id = $1 and name = $2 order by name, environment',
    [account.id, name],
  )
  const rows = await toRows(
    `select run.*, cluster.name, cluster.environment from run join cluster on cluster.id = run.cluster_id
      where run.cluster_id in ($1) and run.at <= $2 order by run.at desc, run.id desc limit $3 offset $4`,
    [all[0].id, Number.MAX_SAFE_INTEGER, 20, 0],
  )
  const [{ total }] = await toRows('select count(*) as total from run where cluster_id in ($1) and at <= $2', [
    all[0].id,
    Number.MAX_SAFE_INTEGER,
  ])
  const items = rows.map(({ content_hash: _, ...row }) => row)
  const environments = all.map(({ environment }) => environment)
  return c.json({ page: 1, per_page: 20, total, total_pages: 2, items, environments })
})

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(`http://127.0.0.1:${port}`))
