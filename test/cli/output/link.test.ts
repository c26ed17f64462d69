import { beforeAll, expect, test } from 'vitest'
import { link } from '../../../src/cli/output/link.ts'
import { runCli } from '../../helpers/cli.ts'
import { folderOfFile, withoutColors } from '../../helpers/output.ts'
import { makeSmallCatalog } from '../../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(() => makeSmallCatalog(home))

const show = async (env: Record<string, string>, ...more: string[]) =>
  (await runCli(['projects', 'show', 'nginx', ...more], { home, columns: 80, env })).stdout

test.each([
  [{ VTE_VERSION: '7600' }],
  [{ WT_SESSION: 'x' }],
  [{ TERM_PROGRAM: 'iTerm.app' }],
  [{ TERM: 'xterm-kitty' }],
  [{ FORCE_HYPERLINK: '1' }],
])('addresses are links with %j, and the text is the same', async (env) => {
  const linked = await show(env)
  expect(linked).toContain('\u001b]8;;https://nginx.example/docs\u001b\\https://nginx.example/docs\u001b]8;;\u001b\\')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that links are made of
  expect(linked.replace(/\u001b\]8;;.*?\u001b\\/g, '')).toBe(await show({}))
})

test.each([
  [{}],
  [{ VTE_VERSION: '5000' }],
  [{ WT_SESSION: 'x', CI: 'true' }],
  [{ WT_SESSION: 'x', FORCE_HYPERLINK: '0' }],
  [{ WT_SESSION: 'x', NO_COLOR: '1' }],
  [{ WT_SESSION: 'x', TERM: 'dumb' }],
])('no links with %j', async (env) => {
  expect(await show(env)).not.toContain('\u001b]8')
})

test('no links in a pipe, nor with --no-color', async () => {
  const env = { FORCE_HYPERLINK: '1', FORCE_COLOR: '1' }
  expect(await show(env, '--no-color')).not.toContain('\u001b')
  expect((await runCli(['projects', 'show', 'nginx'], { home, env })).stdout).not.toContain('\u001b]8')
})

test('cells of a table stay in line', async () => {
  const list = (env: Record<string, string>) => runCli(['projects', 'releases', 'argo-cd'], { home, columns: 60, env })
  const linked = (await list({ FORCE_HYPERLINK: '1' })).stdout
  expect(linked).toContain('\u001b]8;;https://releases.example/tag/v3.5.1\u001b\\')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that links are made of
  expect(withoutColors(linked.replace(/\u001b\]8;;.*?\u001b\\/g, ''))).toBe(withoutColors((await list({})).stdout))
})

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'nothing', '', 'ssh://host'])('%s is no link', (address) => {
  expect(link('text', address)).toBe('text')
})

test('an address cannot leave the sequence it is in', () => {
  const address = 'https://a.example/\u001b\\\u0007\u009c\u001b[2J b'
  const [before, url, text, after] = link('text', address).split(/;;|\\/)
  expect([before, text, after]).toEqual(['\u001b]8', 'text\u001b]8', '\u001b'])
  expect(url).toBe(`${new URL(address).href}\u001b`)
  expect(new URL(address).href).toMatch(/^[!-~]+$/)
})
