import { describe, expect, test } from 'vitest'
import { bundledCatalogDate, bundledCatalogTime } from '../../../src/catalog/date.ts'
import { databaseFor } from '../../../src/db/kind.ts'
import { findMeta, setMeta } from '../../../src/db/meta.ts'
import { getCatalogDate } from '../../../src/operations/catalog/bundled.ts'
import { getProject } from '../../../src/store/catalog/project.ts'
import { bundledProjects } from '../../helpers/bundled-catalog.ts'
import { addForeignProject, addForeignRelease, toId } from '../../store/bundled.ts'
import { dump, now, openCatalogService, openService } from '../service.ts'

const total_projects = bundledProjects().length
const total_releases = bundledProjects().reduce((sum, { releases }) => sum + releases.length, 0)
const [argo] = bundledProjects().filter((project) => project.slug === 'argo-cd')

/** Let no release be added. */
const triggers = {
  sqlite: {
    create: "create trigger no before insert on release begin select raise(abort, 'no'); end",
    drop: 'drop trigger no',
  },
  postgres: {
    create: `create function no() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
      create trigger no before insert on release for each row execute function no()`,
    drop: 'drop trigger no on release; drop function no()',
  },
}

describe('getCatalogDate', () => {
  test('takes the bundled catalog over once', async () => {
    const { db, call } = await openService()
    expect(await getCatalogDate(db, now)).toBe(bundledCatalogDate)
    expect(await findMeta(db, 'catalog_date')).toBe(bundledCatalogDate)
    const before = await dump(db)
    expect([before.project!.length, before.release!.length]).toEqual([total_projects, total_releases])
    expect(await call('getStats')).toMatchObject({
      total_projects,
      total_releases,
      catalog_date: bundledCatalogDate,
    })

    expect(await getCatalogDate(db, now + 1000)).toBe(bundledCatalogDate)
    expect(await dump(db)).toEqual(before)
  })

  test('takes it over once when several ask at a time', async () => {
    const { db } = await openService()
    const dates = await Promise.all([1, 2, 3].map((second) => getCatalogDate(db, now + second)))
    expect(dates).toEqual([bundledCatalogDate, bundledCatalogDate, bundledCatalogDate])
    const times = await db.selectFrom('project').select('updated_at').distinct().execute()
    expect(times).toHaveLength(1)
  })

  test('brings an older catalog up to date and leaves what came from elsewhere', async () => {
    const { db } = await openService()
    await addForeignProject(db, 'nginx', { name: 'Our NGINX' })
    await getCatalogDate(db, now)
    const id = await toId(db, 'argo-cd')
    const { version } = argo!.releases[0]!
    const ours = await addForeignProject(db, 'ours')
    await addForeignRelease(db, id, 'v99.0.0')
    const latest = { latest_version: 'v99.0.0', latest_published_at: 5 }
    await db.updateTable('project').set(latest).where('id', '=', id).execute()
    const fresh = await dump(db)
    expect(fresh.project).toHaveLength(total_projects + 1)

    await db.updateTable('project').set({ name: 'Old name', repo_url: 'old' }).where('id', '=', id).execute()
    await db
      .updateTable('release')
      .set({ url: 'old' })
      .where('project_id', '=', id)
      .where('version', '=', version)
      .execute()
    await db.deleteFrom('project_image').where('project_id', '=', id).execute()
    await setMeta(db, 'catalog_date', '2020-01-01')
    expect(await dump(db)).not.toEqual(fresh)

    expect(await getCatalogDate(db, now)).toBe(bundledCatalogDate)
    expect(await dump(db)).toEqual(fresh)
    expect(await getProject(db, await toId(db, 'nginx'))).toMatchObject({ name: 'Our NGINX', description: 'ours' })
    expect(await getProject(db, ours)).toMatchObject({ description: 'ours' })
    expect(
      await db
        .selectFrom('release')
        .select('id')
        .where('project_id', '=', await toId(db, 'nginx'))
        .execute(),
    ).toEqual([])
  })

  test('imports more facts of the same day', async () => {
    const { db } = await openCatalogService()
    const fresh = await dump(db)
    await db.deleteFrom('affected_range').execute()
    await db.updateTable('project').set({ complete_since: null }).execute()
    await db.deleteFrom('meta').where('key', '=', 'catalog_edition').execute()

    expect(await getCatalogDate(db, bundledCatalogTime)).toBe(bundledCatalogDate)
    expect(await dump(db)).toEqual(fresh)
  })

  test('marks releases of other sources that bundled advisories name as fixed', async () => {
    const { db } = await openCatalogService()
    const fixed = db.updateTable('release').where('version', '=', 'v3.11.2')
    await fixed.set({ origin: 'collected', has_security_fix: 0, cve_list: null, security_severity: 'none' }).execute()
    await setMeta(db, 'catalog_edition', '1')
    await getCatalogDate(db, now)

    const release = await db
      .selectFrom('release')
      .select(['has_security_fix', 'cve_list', 'security_severity'])
      .where('project_id', '=', await toId(db, 'prometheus'))
      .where('version', '=', 'v3.11.2')
      .executeTakeFirstOrThrow()
    expect(release).toEqual({
      has_security_fix: 1,
      cve_list: '["CVE-2026-40179","GHSA-vffh-x6r8-xx99"]',
      security_severity: 'medium',
    })
  })

  test('keeps a catalog that is newer than the bundled one', async () => {
    const { db } = await openService()
    await setMeta(db, 'catalog_date', '2099-01-01')
    const before = await dump(db)
    expect(await getCatalogDate(db, now)).toBe('2099-01-01')
    expect(await dump(db)).toEqual(before)
  })

  test('leaves nothing behind when it fails midway, and succeeds the next time', async () => {
    const { db, call } = await openService()
    const { sql } = await import('kysely')
    await sql.raw(triggers[databaseFor(db)].create).execute(db)
    const before = await dump(db)
    await expect(call('getStats')).rejects.toThrow('no')
    expect(await dump(db)).toEqual(before)
    await sql.raw(triggers[databaseFor(db)].drop).execute(db)
    expect(await call('getStats')).toMatchObject({ total_projects })
  })
})
