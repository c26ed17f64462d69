import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { open as openVerb } from '../../../../src/cli/commands/projects/noun.ts'
import { openDatabase } from '../../../../src/db/open.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'
import { talk } from '../../../helpers/terminal.ts'

const home = folderOfFile()
const openers = fileURLToPath(new URL('../../../fixtures/openers', import.meta.url))
beforeAll(() => makeSmallCatalog(home))

/** An environment whose browser notes what it is given. */
function browser() {
  const file = join(temporaryFolder(), 'opened')
  const env = { PATH: `${openers}${delimiter}${process.env.PATH}`, OPENED: file, NO_COLOR: '1' }
  return { env, opened: () => readFileSync(file, 'utf8') }
}

/** A store whose project has such a homepage. */
async function withHomepage(name: string, homepage: string): Promise<string> {
  const folder = temporaryFolder()
  await makeSmallCatalog(folder)
  const db = await openDatabase(join(folder, 'relt.db'))
  await db.updateTable('project').set({ homepage }).where('name', '=', name).execute()
  await db.destroy()
  return folder
}

test.each([
  [['argo-cd'], ['argo-cd', {}]],
  [
    ['1', '--print', '--page', 'docs'],
    ['1', { print: true, page: 'docs' }],
  ],
  [[], [undefined, {}]],
])('open %j', async (argv, expected) => {
  expect(await parse(openVerb, argv)).toEqual(expected)
})

test('--print prints the address', async () => {
  expect(await printAll(['projects', 'open', 'argo-cd', '--print'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns, pipe
    https://argo-cd.example/
    === --json
    {"url":"https://argo-cd.example/"}
    "
  `)
})

test.each([
  ['home', 'https://argo-cd.example/'],
  ['docs', 'https://argo-cd.example/docs'],
  ['repo', 'https://github.com/argoproj/argo-cd'],
])('where there is no terminal, --page %s prints %s', async (page, url) => {
  const { env } = browser()
  expect(await runCli(['projects', 'open', 'argo-cd', '--page', page], { home, env })).toEqual({
    code: 0,
    stdout: `${url}\n`,
    stderr: '',
  })
})

test('a page that is not there is not found', async () => {
  expect(await runCli(['projects', 'open', 'kube-state-metrics', '--page', 'repo'], { home })).toEqual({
    code: 3,
    stdout: '',
    stderr: 'error: kube-state-metrics has no such page.\nhint: Try another: --page home, docs, repo\n',
  })
})

describe.runIf(process.platform === 'linux')('on a terminal', () => {
  test('the browser gets the address as its one argument', async () => {
    const { env, opened } = browser()
    expect(await runCli(['projects', 'open', 'argo-cd'], { home, env, columns: 80 })).toEqual({
      code: 0,
      stdout: '',
      stderr: '✓ Opened https://argo-cd.example/\n',
    })
    expect(opened()).toBe('https://argo-cd.example/\n')
  })

  test('no shell reads the address', async () => {
    const { env, opened } = browser()
    const folder = await withHomepage('NGINX', 'https://nginx.example/$(touch x);`id`?a=1&b=2 --c')
    expect((await runCli(['projects', 'open', 'nginx'], { home: folder, env, columns: 80 })).code).toBe(0)
    expect(opened()).toBe('https://nginx.example/$(touch%20x);%60id%60?a=1&b=2%20--c\n')
  })

  test.each(['file:///etc/passwd', 'javascript:alert(1)', '--help', 'vbscript:x', ''])(
    'the homepage %j is passed over for the repository',
    async (homepage) => {
      const { env, opened } = browser()
      const folder = await withHomepage('NGINX', homepage)
      await runCli(['projects', 'open', 'nginx'], { home: folder, env, columns: 80 })
      expect(opened()).toBe('https://github.com/nginx/nginx\n')
    },
  )

  test('a browser that fails, or is not there, leaves the address', async () => {
    const folder = await withHomepage('NGINX', 'https://broken.example')
    for (const env of [browser().env, { PATH: '/no/such', NO_COLOR: '1' }]) {
      expect(await runCli(['projects', 'open', 'nginx'], { home: folder, env, columns: 80 })).toEqual({
        code: 1,
        stdout: '',
        stderr: 'error: Could not start a browser.\nhint: Open it yourself: https://broken.example/\n',
      })
    }
  })

  test('a project that is not named is chosen from a list', async () => {
    const { env, opened } = browser()
    const { code, left } = await talk(
      ['projects', 'open'],
      [
        ['Which project? (type to filter)', 'workflows'],
        ['Runs workflows of containers', '\r'],
      ],
      { home, env },
    )
    expect({ code, left }).toEqual({ code: 0, left: [] })
    expect(opened()).toBe('https://argo-workflows.example/\n')
  })
})

test('where nobody can be asked, the project has to be named', async () => {
  expect(await runCli(['projects', 'open'], { home })).toEqual({
    code: 2,
    stdout: '',
    stderr:
      "error: missing required argument 'project', and there is no terminal for a prompt\nhint: Add --help for help.\n",
  })
})
