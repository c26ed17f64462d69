import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../../src/db/open.ts'
import { saveAdvisoriesFor } from '../../../../src/store/catalog/catalog-advisory.ts'
import { storeAdvisories } from '../../../helpers/advisories.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'

const record = {
  id: 'SHOP-2026-1',
  published: '2026-07-01T00:00:00Z',
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
  affected: [
    {
      package: { ecosystem: 'Shop', name: 'nginx' },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.27.4' }] }],
    },
  ],
}

async function openHome() {
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  const run = (...argv: string[]) => runCli(['catalog', ...argv], { home })
  return { home, run }
}

test('lists advisories and shows one', async () => {
  const { home, run } = await openHome()
  await storeAdvisories(home, [record])
  const { stdout } = await run('advisories', 'list', 'nginx', '--json')
  expect(JSON.parse(stdout).items).toMatchObject([
    { id: 'SHOP-2026-1', slug: 'nginx', severity: 'critical', score: 9.8, published_at: '2026-07-01 00:00:00' },
  ])
  expect((await run('advisories', 'list')).stdout).toContain('before 1.27.4')
  expect((await run('advisories', 'show', 'SHOP-2026-1')).stdout).toMatch(/nginx +before 1\.27\.4 +critical +9\.8/)
  const missing = await run('advisories', 'show', 'CVE-2026-9')
  expect(missing).toMatchObject({ code: 3, stderr: expect.stringContaining('relt catalog sync') })
})

test('coverage counts ids that are aliases of each other once', async () => {
  const { home, run } = await openHome()
  const about = { ...record, aliases: ['CVE-2026-7001'] }
  const withdrawn = { ...record, id: 'SHOP-2026-3', withdrawn: '2026-07-02T00:00:00Z' }
  await storeAdvisories(home, [about, { ...record, id: 'SHOP-2026-2' }, withdrawn])
  const db = await openDatabase(join(home, 'relt.db'))
  const range = { introduced: '0', fixed: '1.27.4', last_affected: null }
  const told = { severity: null, score: null, published_at: null, is_record_date: false, modified_at: null }
  const more = { ...told, withdrawn_at: null, summary: '', databases: [], affected: [range] }
  await saveAdvisoriesFor(db, 5, 'github', [{ id: 'SHOP-2026-1', aliases: [], ...more }])
  await db.destroy()
  const { stdout } = await run('coverage', 'nginx', '--json')
  expect(JSON.parse(stdout).projects).toMatchObject([{ advisories: 2, unrated: 0 }])
})

test('shows how deep and how old the facts about a project are', async () => {
  const { run } = await openHome()
  const { stdout } = await run('coverage', 'nginx', '--json')
  expect(JSON.parse(stdout).projects).toEqual([
    {
      project_id: expect.any(Number),
      slug: 'nginx',
      name: 'NGINX',
      app_releases: 3,
      chart_releases: 0,
      first_release: '2025-11-26',
      newest_release: '2026-08-30',
      complete_since: '2020-01-01',
      history_basis: 'every version tag of the repository',
      releases_as_of: '2099-01-01',
      advisories: 0,
      unrated: 0,
      advisories_as_of: null,
    },
  ])
  expect((await run('coverage')).stdout).toMatch(/nginx .*no facts/)
})
