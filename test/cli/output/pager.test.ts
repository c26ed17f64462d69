import { chmodSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../../../src/cli/program/root.ts'
import { createLocalClient } from '../../../src/client/local.ts'
import { temporaryFolder, testNow } from '../../helpers/cli.ts'
import { folderOfFile } from '../../helpers/output.ts'
import { makeSmallCatalog } from '../../helpers/small-store.ts'

const list = ['projects', 'list']

interface Terminal {
  env?: Record<string, string>
  rows?: number
  isTTY?: boolean
}

/** Runs a command on a screen of its own: a file that the pager writes to as to a terminal. */
async function runOnScreen(argv: string[], { env, rows = 4, isTTY = true }: Terminal) {
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  const screen = join(home, 'screen')
  const texts = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof texts) =>
    new Writable({
      write: (chunk, _encoding, done) => {
        texts[name] += chunk
        done()
      },
    })
  const stdout = Object.assign(stream('stdout'), { isTTY, columns: 80, rows, fd: openSync(screen, 'w') })
  const all = { RELT_HOME: home, RELT_KEYCHAIN: 'off', PATH: process.env.PATH, NO_COLOR: '1', ...env }
  const client = await createLocalClient({ env: all, now: () => testNow })
  const code = await runCommand(
    {
      env: all,
      stdin: Readable.from([]),
      stdout,
      stderr: stream('stderr'),
      now: () => testNow,
      settings: async () => ({}),
      select: () => {},
      client: async () => client,
      localClient: async () => client,
      admin: () => Promise.reject(new Error('not used')),
      credentials: async () => undefined,
      server: async () => undefined,
      toClient: () => Promise.reject(new Error('not used')),
      serve: async () => {},
    },
    argv,
  )
  await client.close()
  return { code, ...texts, screen: readFileSync(screen, 'utf8') }
}

/** An executable that is a pager. */
function makePager(script: string): string {
  const file = join(temporaryFolder(), 'pager')
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

const marking = () => makePager('echo "[$*|$LESS]"; exec cat')

describe('long text on a terminal', () => {
  test('goes through the pager, whose words no shell reads', async () => {
    const pager = marking()
    const { code, stdout, stderr, screen } = await runOnScreen(list, { env: { PAGER: `${pager}  -x $HOME;ls` } })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(screen).toMatch(/^\[-x \$HOME;ls\|FRX\]\nID {2}NAME/)
    expect(screen).toContain('NGINX')
  })

  test('RELT_PAGER comes before PAGER, and a LESS that is set is left alone', async () => {
    const env = { PAGER: 'false', RELT_PAGER: marking(), LESS: 'S' }
    expect((await runOnScreen(list, { env })).screen).toMatch(/^\[\|S\]\n/)
  })

  test('JSON goes there, too', async () => {
    expect((await runOnScreen([...list, '--json'], { env: { PAGER: marking() } })).screen).toContain('"name": "NGINX"')
  })

  test('comes whole, and before the messages', async () => {
    const env = { PAGER: makePager('sleep 0.2; exec cat') }
    const { screen, stderr } = await runOnScreen([...list, '--limit', '4'], { env })
    expect(screen.split('\n')).toHaveLength(6)
    expect(stderr).toContain('Showing 4 of 5. Next: --page 2')
  })
})

describe('without the pager', () => {
  const seen = join(folderOfFile(), 'seen')
  const leavesTrace = () => makePager(`touch ${seen}; exec cat`)

  test.each<[string, string[], (pager: string) => Terminal]>([
    ['in a pipe', list, (PAGER) => ({ env: { PAGER }, isTTY: false })],
    ['with --no-pager', [...list, '--no-pager'], (PAGER) => ({ env: { PAGER } })],
    ['with TERM=dumb', list, (PAGER) => ({ env: { PAGER, TERM: 'dumb' } })],
    ['where it fits', list, (PAGER) => ({ env: { PAGER }, rows: 40 })],
    ['when RELT_PAGER is empty', list, (PAGER) => ({ env: { PAGER, RELT_PAGER: '' } })],
    ['when it is cat', list, () => ({ env: { PAGER: 'cat' } })],
    ['when it is missing', list, () => ({ env: { PAGER: '/nowhere/pager -x' } })],
    ['when it cannot be executed', list, () => ({ env: { PAGER: '/' } })],
  ])('text is printed: %s', async (_, argv, terminal) => {
    const { code, stdout, screen } = await runOnScreen(argv, terminal(leavesTrace()))
    expect({ code, screen }).toEqual({ code: 0, screen: '' })
    expect(stdout).toContain('NGINX')
    expect(existsSync(seen)).toBe(false)
  })
})

describe('a pager that ends early is no failure', () => {
  test.each([
    ['at once', 'exit 0'],
    ['with an error', 'exit 3'],
    ['by a signal', 'kill -9 $$'],
    ['in the middle', 'head -c 10; exit 1'],
  ])('%s', async (_, script) => {
    const argv = ['openapi']
    const { code, stderr } = await runOnScreen(argv, { env: { PAGER: makePager(script) } })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })
})

test('Ctrl-C while the pager is open is the pager’s alone', async () => {
  const before = process.listeners('SIGINT')
  // The signal reaches both, as from a keyboard.
  const env = { PAGER: makePager(`trap 'echo stopped' INT; kill -INT ${process.pid} $$; exec cat`) }
  const { code, screen } = await runOnScreen(list, { env })
  expect(code).toBe(0)
  expect(screen).toMatch(/^stopped\n/)
  expect(screen).toContain('NGINX')
  // Those of other tests in this process may end meanwhile.
  expect(process.listeners('SIGINT').filter((listener) => !before.includes(listener))).toEqual([])
})
