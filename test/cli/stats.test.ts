import { beforeAll, expect, test } from 'vitest'
import { createCommand } from '../../src/cli/stats.ts'
import { folderOfFile, parse, printAll } from '../helpers/output.ts'
import { makeSmallCatalog } from '../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(() => makeSmallCatalog(home))

test('stats takes no arguments', async () => {
  expect(await parse(createCommand, [])).toEqual([])
  await expect(parse(createCommand, ['x'])).rejects.toThrow('too many arguments')
})

test('prints the numbers of the catalog', async () => {
  expect(await printAll(['stats'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    Projects                       5
    Releases                      10
      in the last 7 days           3
      in the last 30 days          5
      in the last 90 days          6
    Security fixes                 0
    Catalog of 2099-01-01.
    The catalog has no security facts about these 5 projects. Fixes may be missing.
    Run \`relt catalog sync\` (on the server, if you use one).
    === 120 columns
    Projects                       5
    Releases                      10
      in the last 7 days           3
      in the last 30 days          5
      in the last 90 days          6
    Security fixes                 0
    Catalog of 2099-01-01.
    The catalog has no security facts about these 5 projects. Fixes may be missing. Run \`relt catalog sync\` (on the server,
    if you use one).
    === pipe
    Projects                       5
    Releases                      10
      in the last 7 days           3
      in the last 30 days          5
      in the last 90 days          6
    Security fixes                 0
    Catalog of 2099-01-01.
    The catalog has no security facts about these 5 projects. Fixes may be missing. Run \`relt catalog sync\` (on the server, if you use one).
    === --json
    {"success":true,"total_projects":5,"total_releases":10,"total_security_fixes":0,"releases_last_7d":3,"releases_last_30d":5,"releases_last_90d":6,"catalog_date":"2099-01-01","stale_projects":0}
    "
  `)
})
