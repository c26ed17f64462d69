import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runCli } from '../helpers/cli.ts'
import { folderOfFile } from '../helpers/output.ts'
import { makeSmallStore, smallReports } from '../helpers/small-store.ts'

const home = folderOfFile()
const file = join(home, 'report.json')

beforeAll(async () => {
  await makeSmallStore(home)
  writeFileSync(file, JSON.stringify(smallReports[2]))
})

const verbs = [
  `reports upload ${file}`,
  'reports list',
  'reports show',
  'reports compare',
  'reports trends',
  'reports freshness',
  'projects search argo',
  'projects list',
  'projects show argo-cd',
  'projects releases argo-cd',
  'stats',
]

test.each(verbs)('%s takes global options before, between and after its words', async (verb) => {
  const words = verb.split(' ')
  const [noun, ...rest] = words as [string, ...string[]]
  const options = ['--local', '--json', '--no-color', '--quiet']
  const run = (argv: string[]) => runCli(argv, { home, columns: 80 })
  const after = await run([...words, ...options])
  expect(after).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(after.stdout)).toBeTypeOf('object')
  expect(await run([...options, ...words])).toEqual(after)
  expect(await run([noun, ...options, ...rest])).toEqual(after)
  expect(await run([...options.slice(0, 2).toReversed(), ...words, ...options.slice(2).toReversed()])).toEqual(after)
})

test('--quiet leaves data and errors', async () => {
  const list = await runCli(['projects', 'list', '--limit', '2', '--quiet'], { home })
  expect(list).toMatchObject({ code: 0, stderr: '' })
  expect(list.stdout).toContain('Argo CD')
  const failed = await runCli(['projects', 'show', 'nothing', '--quiet'], { home })
  expect(failed).toMatchObject({ code: 3, stdout: '' })
  expect(failed.stderr).toContain('No project named "nothing".')
})

test('what looks like a global option after -- is an argument', async () => {
  const { code, stderr } = await runCli(['projects', 'show', '--', '--json'], { home })
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: 'error: No project named "--json".\nhint: Search for it: relt projects search TEXT\n',
  })
})
