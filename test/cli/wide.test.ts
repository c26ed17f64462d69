import { join } from 'node:path'
import stringWidth from 'fast-string-width'
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { openDatabase } from '../../src/db/open.ts'
import { runCli } from '../helpers/cli.ts'
import { folderOfFile, withoutColors } from '../helpers/output.ts'
import { makeSmallStore } from '../helpers/small-store.ts'

const home = folderOfFile()
const wide = '日本語のとても長い名前👩‍👩‍👧‍👦 and some more words that go on '
let profile = ''

beforeAll(async () => {
  await makeSmallStore(home)
  const db = await openDatabase(join(home, 'relt.db'))
  await db
    .updateTable('project')
    .set({ name: wide.repeat(3) })
    .where('name', '=', 'Argo CD')
    .execute()
  await db.destroy()
  await runCli(['subs', 'add', '1', '4', '5'], { home })
  for (const name of ['edge', wide.trim()]) {
    await runCli(['labels', 'create', name], { home })
    await runCli(['labels', 'attach', name, '1'], { home })
  }
  await runCli(['notify', 'test', '1', '--channel', 'slack'], { home })
  await runCli(['keys', 'create', wide.trim()], { home })
  const created = await runCli(['profiles', 'create', wide.trim(), '--cluster', wide.trim(), '--json'], { home })
  profile = JSON.parse(created.stdout).config_id
})

const lists = [
  'subs list',
  'feed --days 30',
  'dashboard',
  'notify deliveries',
  'labels list',
  'keys list',
  'profiles list',
]
const others = ['notify test 1 --channel slack', 'profiles show', 'profiles command', 'profiles file']
const toArgv = (line: string) => [...line.split(' '), ...(/^profiles (?!list)/.test(line) ? [profile] : [])]

test.each(lists)('no line is wider than the terminal: %s', async (line) => {
  for (const columns of [80, 100, 120]) {
    const { code, stdout, stderr } = await runCli(toArgv(line), { home, columns })
    expect({ code, printed: stdout !== '' }).toEqual({ code: 0, printed: true })
    const lines = withoutColors(`${stdout}${stderr}`).split('\n')
    expect(lines.filter((each) => stringWidth(each) > columns)).toEqual([])
  }
})

test.each(lists.slice(1))('has the same text with and without colours: %s', async (line) => {
  const coloured = await runCli(toArgv(line), { home, columns: 120 })
  const { stdout } = await runCli(toArgv(line), { home, columns: 120, env: { NO_COLOR: '1' } })
  expect(coloured.stdout).toContain('\u001b[')
  expect(withoutColors(coloured.stdout)).toBe(stdout)
})

/** Clears the screen, sets the title, colours, moves, rings, and turns text around; C0, C1 and direction marks. */
const evil = '\u001b[2J\u001b]0;owned\u0007\u001b[31m\u009b31m\r\b\u202etxt.exe\u2066\u200f'
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** Every text of every answer, apart from the id that is asked by. */
const hostile = ({ call, ...client }: Client): Client => ({
  ...client,
  call: async (name, input) => spoil(await call(name, input)),
})

function spoil<T>(value: T, key = ''): T {
  if (typeof value === 'string') return (key === 'config_id' ? value : value + evil) as T
  if (Array.isArray(value)) return value.map((each) => spoil(each)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spoil(each, name)])) as T
}

test.each([...lists, ...others])('what an answer says cannot steer the terminal: %s', async (line) => {
  for (const env of [{}, { NO_COLOR: '1' }]) {
    const { stdout, stderr } = await runCli([...toArgv(line)], { home, columns: 120, env, between: hostile })
    expect(stdout + stderr).not.toBe('')
    expect(withoutColors(stdout + stderr)).not.toMatch(control)
  }
})

test.each([
  'subs add 2',
  'subs set 1 --paused',
  'labels attach 1 5',
  'labels delete 2 --yes',
  'profiles edit --notes x',
  'profiles delete --yes',
])('nor what is said of it: %s', async (line) => {
  const { code, stderr } = await runCli(toArgv(line), { home, columns: 120, between: hostile })
  expect({ code, owned: stderr.includes('owned') }).toEqual({ code: 0, owned: true })
  expect(withoutColors(stderr)).not.toMatch(control)
})
