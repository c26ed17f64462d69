import { beforeAll, expect, test } from 'vitest'
import { bundledCatalogDate } from '../../../../src/catalog/date.ts'
import statsVerb from '../../../../src/cli/commands/stats/index.ts'
import type { Client } from '../../../../src/client/client.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(() => makeSmallCatalog(home))

test('stats takes no arguments', async () => {
  expect(await parse(statsVerb, [])).toEqual([])
  await expect(parse(statsVerb, ['x'])).rejects.toThrow('too many arguments')
})

test('prints the numbers of the catalog', async () => {
  expect(await printAll(['stats'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns, pipe
    Projects                       5
    Releases                      10
      in the last 7 days           3
      in the last 30 days          5
      in the last 90 days          6
    Security fixes                 0
    Facts of 2099-01-01. No security facts about these 5 projects.
    === --json
    {"success":true,"total_projects":5,"total_releases":10,"total_security_fixes":0,"releases_last_7d":3,"releases_last_30d":5,"releases_last_90d":6,"catalog_date":"2099-01-01","stale_projects":0}
    "
  `)
})

test('warns of facts that are old', async () => {
  const home = temporaryFolder()
  const now = testNow + 81 * 86_400
  const { stdout } = await runCli(['stats'], { home, now })
  expect(stdout).toMatch(/Facts about \d+ of \d+ projects are over 90 days old: relt catalog sync\./)
  const server = (client: Client) =>
    ({
      ...client,
      call: async () => ({ ...(await client.call('getStats', {})), stale_projects: undefined }),
    }) as unknown as Client
  const ofOther = await runCli(['stats'], { home, now, between: server })
  expect(ofOther.stdout).toContain(`Facts of ${bundledCatalogDate} (91 days): relt catalog sync.`)
})
