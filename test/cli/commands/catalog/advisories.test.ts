import { expect, test } from 'vitest'
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
