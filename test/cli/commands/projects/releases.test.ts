import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import releasesVerb from '../../../../src/cli/commands/projects/releases.ts'
import { openDatabase } from '../../../../src/db/open.ts'
import { runCli } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(() => makeSmallCatalog(home))

test.each([
  [['argo-cd'], ['argo-cd', undefined, {}]],
  [
    ['argo-cd', 'v3.5.1', '--notes'],
    ['argo-cd', 'v3.5.1', { notes: true }],
  ],
  [
    ['argo-cd', '-t', 'helm', '-n', '50', '-p', '2'],
    ['argo-cd', undefined, { type: 'helm', limit: 50, page: 2 }],
  ],
  [
    ['--type', 'pre', '42'],
    ['42', undefined, { type: 'pre' }],
  ],
])('releases %j', async (argv, expected) => {
  expect(await parse(releasesVerb, argv)).toEqual(expected)
})

test('an unknown type is refused with the known ones', async () => {
  await expect(parse(releasesVerb, ['x', '--type', 'chart'])).rejects.toThrow('Allowed choices are app, helm, pre.')
})

test('prints the releases, newest first', async () => {
  expect(await printAll(['projects', 'releases', 'argo-cd'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns
    VERSION  PUBLISHED    SECURITY  URL
    v3.5.1   1 week ago   -         https://releases.example/tag/v3.5.1
    v3.4.8   1 month ago  -         https://releases.example/tag/v3.4.8
    === pipe
    VERSION  PUBLISHED            SECURITY  URL
    v3.5.1   2026-08-20 00:00:00  -         https://releases.example/tag/v3.5.1
    v3.4.8   2026-07-15 00:00:00  -         https://releases.example/tag/v3.4.8
    === --json
    {"page":1,"per_page":20,"total":2,"total_pages":1,"items":[{"id":2,"product_id":1,"version":"v3.5.1","type":"app","release_notes":"","url":"https://releases.example/tag/v3.5.1","published_at":"2026-08-20 00:00:00","has_security_fix":false,"security_severity":"none","chart_name":null},{"id":3,"product_id":1,"version":"v3.4.8","type":"app","release_notes":"","url":"https://releases.example/tag/v3.4.8","published_at":"2026-07-15 00:00:00","has_security_fix":false,"security_severity":"none","chart_name":null}]}
    "
  `)
})

test('--type helm names the charts', async () => {
  expect(await printAll(['projects', 'releases', 'argo-cd', '--type', 'helm'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    CHART    VERSION  PUBLISHED     SECURITY  URL
    argo-cd  10.1.1   1 week ago    -         https://releases.example/argo-cd/
                                              10.1.1
    argo-cd  9.1.0    4 months ago  -         https://releases.example/argo-cd/9.1.0
    === 120 columns
    CHART    VERSION  PUBLISHED     SECURITY  URL
    argo-cd  10.1.1   1 week ago    -         https://releases.example/argo-cd/10.1.1
    argo-cd  9.1.0    4 months ago  -         https://releases.example/argo-cd/9.1.0
    === pipe
    CHART    VERSION  PUBLISHED            SECURITY  URL
    argo-cd  10.1.1   2026-08-21 00:00:00  -         https://releases.example/argo-cd/10.1.1
    argo-cd  9.1.0    2026-05-02 00:00:00  -         https://releases.example/argo-cd/9.1.0
    === --json
    {"page":1,"per_page":20,"total":2,"total_pages":1,"items":[{"id":4,"product_id":1,"version":"10.1.1","type":"helm","release_notes":"","url":"https://releases.example/argo-cd/10.1.1","published_at":"2026-08-21 00:00:00","has_security_fix":false,"security_severity":"none","chart_name":"argo-cd"},{"id":5,"product_id":1,"version":"9.1.0","type":"helm","release_notes":"","url":"https://releases.example/argo-cd/9.1.0","published_at":"2026-05-02 00:00:00","has_security_fix":false,"security_severity":"none","chart_name":"argo-cd"}]}
    "
  `)
})

test('says that no release is known', async () => {
  expect(await runCli(['projects', 'releases', 'argo-workflows'], { home })).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No releases of this type.\n',
  })
})

describe('release notes', () => {
  const noted = folderOfFile()
  beforeAll(async () => {
    await makeSmallCatalog(noted)
    const db = await openDatabase(join(noted, 'relt.db'))
    const notes =
      '<h2>Fixes</h2><ul><li>One thing that is said at such length that it does not fit in one line</li></ul>\u001b[2J'
    await db.updateTable('release').set({ release_notes: notes }).where('version', '=', 'v3.5.1').execute()
    await db.destroy()
  })

  test('are text, below each release', async () => {
    expect(await printAll(['projects', 'releases', 'argo-cd', '--notes'], noted)).toMatchInlineSnapshot(`
      "
      === 80 columns, 120 columns
      v3.5.1 (1 week ago)
      https://releases.example/tag/v3.5.1

        Fixes

        - One thing that is said at such length that it does not fit in one line

         [2J

      v3.4.8 (1 month ago)
      https://releases.example/tag/v3.4.8

        No notes.
      === pipe
      v3.5.1 (2026-08-20 00:00:00)
      https://releases.example/tag/v3.5.1

        Fixes

        - One thing that is said at such length that it does not fit in one line

         [2J

      v3.4.8 (2026-07-15 00:00:00)
      https://releases.example/tag/v3.4.8

        No notes.
      === --json
      {"page":1,"per_page":5,"total":2,"total_pages":1,"items":[{"id":2,"product_id":1,"version":"v3.5.1","type":"app","release_notes":"<h2>Fixes</h2><ul><li>One thing that is said at such length that it does not fit in one line</li></ul>\\u001b[2J","url":"https://releases.example/tag/v3.5.1","published_at":"2026-08-20 00:00:00","has_security_fix":false,"security_severity":"none","chart_name":null},{"id":3,"product_id":1,"version":"v3.4.8","type":"app","release_notes":"","url":"https://releases.example/tag/v3.4.8","published_at":"2026-07-15 00:00:00","has_security_fix":false,"security_severity":"none","chart_name":null}]}
      "
    `)
  })

  test('of one release are shown for its version, with v before it or not', async () => {
    const show = async (version: string) => {
      const argv = ['projects', 'releases', 'argo-cd', version]
      return (await runCli(argv, { home: noted, columns: 60, env: { NO_COLOR: '1' } })).stdout
    }
    expect(await show('3.5.1')).toMatchInlineSnapshot(`
      "v3.5.1 (1 week ago)
      https://releases.example/tag/v3.5.1

        Fixes

        - One thing that is said at such length that it does not
          fit in one line

         [2J
      "
    `)
    expect(await show('v3.5.1')).toBe(await show('3.5.1'))
  })

  test('one release is one thing as data', async () => {
    const { stdout } = await runCli(['projects', 'releases', 'argo-cd', '3.5.1', '--jq', '.version'], { home: noted })
    expect(stdout).toBe('v3.5.1\n')
  })

  test('a version that is not known is not found', async () => {
    expect(await runCli(['projects', 'releases', 'argo-cd', '9.9.9'], { home: noted })).toEqual({
      code: 3,
      stdout: '',
      stderr: 'error: No release 9.9.9 of this type.\nhint: Other types: --type helm, --type pre\n',
    })
  })
})
