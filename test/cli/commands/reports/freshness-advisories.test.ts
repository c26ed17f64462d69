import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { storeAdvisories } from '../../../helpers/advisories.ts'
import { runCli } from '../../../helpers/cli.ts'
import { folderOfFile, withoutColors } from '../../../helpers/output.ts'
import { makeSmallStore } from '../../../helpers/small-store.ts'

const home = folderOfFile()
const run = async (...argv: string[]) => {
  const { stdout } = await runCli(argv, { home, columns: 120 })
  return withoutColors(stdout)
}

/** The store runs nginx:1.27.3, and nothing else that the advisories are about. */
const record = (id: string, ...events: { introduced?: string; fixed?: string }[]) => ({
  id,
  published: '2026-07-01T00:00:00Z',
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
  affected: [{ package: { ecosystem: 'Shop', name: 'nginx' }, ranges: [{ type: 'SEMVER', events }] }],
})

const first = record('SHOP-2026-1', { introduced: '0' }, { fixed: '1.27.3' })

const edge =
  "Advisories are about the projects' own releases, not about packages inside images; they are known for 1 of 4 artifacts"

test('every answer without advisories says what that rests on', async () => {
  await makeSmallStore(home)
  await storeAdvisories(home, [first])
  const unwrapped = async (...argv: string[]) => (await run(...argv)).replace(/\s+/g, ' ')
  expect(await unwrapped('reports', 'show')).toContain(`Vulnerable 0 of 1 artifact. ${edge}`)
  expect(await unwrapped('dashboard')).toContain(edge)
  expect(await unwrapped('gate', 'check', '--fail-on', 'affected>=low')).toContain(edge)
  expect(await unwrapped('reports', 'freshness')).toContain(edge)
})

test('lists undecided advisories with the reason, and files for other tools', async () => {
  await storeAdvisories(home, [
    first,
    record('SHOP-2026-2', { introduced: '0' }, { fixed: '1.27.4' }),
    record('SHOP-2026-3', { introduced: '2024.1.0' }, { fixed: '2024.2.0' }),
  ])
  expect(await run('reports', 'freshness', '--explain')).toContain(
    '? SHOP-2026-3 (critical): undecided, 1.27.3 and the range "2024.1.0 before 2024.2.0" use different version schemes',
  )
  const sarif = join(home, 'a.sarif')
  await run('reports', 'freshness', '--sarif', sarif)
  const [found] = JSON.parse(readFileSync(sarif, 'utf8')).runs
  expect(found.results).toHaveLength(1)
  expect(found.results[0]).toMatchObject({ ruleId: 'SHOP-2026-2', level: 'error' })
  expect(found.properties.coverage).toMatchObject({ advisories_known: 1 })
})
