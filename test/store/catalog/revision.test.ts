import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { setMeta } from '../../../src/db/meta.ts'
import { findCatalogRevision, getCatalogRevision } from '../../../src/store/catalog/revision.ts'
import { project, release, storeWith } from '../bundled.ts'

const store = () => storeWith([project('nginx', { releases: [release('1.27.3', '2026-07-01')] })])
const advisory = sql`insert into catalog_advisory values ((select id from project), 'osv', 'CVE-2026-1', '[]', null, null,
  null, 0, null, null, '', '[]')`
const range = sql`insert into affected_range values ((select id from project), 'osv', 'CVE-2026-1', 0, '0', null, null)`

const changes: [string, RawBuilder<unknown>][] = [
  [
    'a new release',
    sql`insert into release select id + 1, project_id, type, chart_name, '1.27.4', app_version, kube_version, published_at,
    created_at, url, release_notes, has_security_fix, security_severity, security_summary, cve_list, cve_links, origin, fault
    from release order by id desc limit 1`,
  ],
  ['a changed release', sql`update release set has_security_fix = 1`],
  ['a removed release', sql`delete from release`],
  ['a changed project', sql`update project set tag_pattern = 'x'`],
  ['a removed project', sql`delete from project`],
  [
    'a repository',
    sql`insert into project_image (repository, name, project_id) select 'docker.io/acme/web', 'web', id from project`,
  ],
  ['a chart', sql`insert into project_chart (project_id, name) select id, 'web' from project`],
  ['a cycle', sql`insert into cycle (project_id, cycle, eol, lts) select id, '1.27', 'true', 'false' from project`],
  ['an advisory', advisory],
  ['a range', range],
]

describe('the revision of the catalog', () => {
  test.each(changes)('ends with %s', async (_, change) => {
    const db = await store()
    const before = await getCatalogRevision(db)
    expect(await getCatalogRevision(db)).toBe(before)
    await change.execute(db)
    expect(await findCatalogRevision(db)).toBeUndefined()
    expect(await getCatalogRevision(db)).not.toBe(before)
  })

  test('ends with another bundled catalog and lasts through other settings', async () => {
    const db = await store()
    const before = await getCatalogRevision(db)
    await setMeta(db, 'write_check', '1')
    expect(await findCatalogRevision(db)).toBe(before)
    await setMeta(db, 'catalog_date', '2030-01-01')
    expect(await findCatalogRevision(db)).toBeUndefined()
  })

  test('ends when a transaction changed the catalog, and lasts when that was rolled back', async () => {
    const db = await store()
    const before = await getCatalogRevision(db)
    const failing = db.transaction().execute(async (trx) => {
      await sql`update release set has_security_fix = 1`.execute(trx)
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await findCatalogRevision(db)).toBe(before)
  })
})
