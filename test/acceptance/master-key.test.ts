import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { smallReports, uploadAll } from '../helpers/small-store.ts'

const keyA = 'a'.repeat(64)
const keyB = Buffer.alloc(32, 7).toString('base64')
const sealed = ['reports show --report', 'reports compare', 'reports freshness']
const open = ['reports list', 'reports show', 'reports trends']

/** Sealed reports give one sentence and nothing else; what is not sealed stays readable. */
async function expectLocked(home: string, env: Record<string, string>, message: string, hint: string | undefined) {
  const file = join(home, 'master.key')
  for (const verb of sealed) {
    const { code, stdout, stderr } = await runCli(verb.split(' '), { home, env })
    expect({ verb, code, stdout }).toEqual({ verb, code: 1, stdout: '' })
    expect(stderr.replaceAll(file, 'FILE')).toBe(`error: ${message}\n${hint ? `hint: ${hint}\n` : ''}`)
  }
  for (const verb of open) expect(await runCli(verb.split(' '), { home, env })).toMatchObject({ code: 0, stderr: '' })
  const stdin = JSON.stringify(smallReports[2])
  expect((await runCli(['reports', 'upload', '-'], { home, env, stdin })).code).toBe(1)
  expect(JSON.parse((await runCli(['reports', 'list', '--json'], { home, env })).stdout).total).toBe(2)
}

async function expectUnlocked(home: string, env: Record<string, string>) {
  for (const verb of [...sealed, ...open]) {
    expect(await runCli(verb.split(' '), { home, env })).toMatchObject({ code: 0, stderr: '' })
  }
}

const putBack = 'Put the key back; nothing in the store has been changed.'
const useOwn = 'Use the key that the store was made with; nothing in the store has been changed.'
const missing = (where: string) => `The master key of this store is missing: it belongs in ${where}.`
const noKey = (where: string) => `${where} holds no master key: 32 bytes in hex or base64 are needed.`

describe('a key in a file', () => {
  test('is readable by its owner only', async () => {
    const home = join(temporaryFolder(), 'home')
    await uploadAll(home, [smallReports[0]])
    expect((await stat(join(home, 'master.key'))).mode & 0o777).toBe(0o600)
    expect((await stat(home)).mode & 0o777).toBe(0o700)
  })

  test.each([
    ['is missing', undefined, missing('FILE'), putBack],
    ['is another one', `${keyA}\n`, 'The key in FILE is not the key that sealed this store.', useOwn],
    ['is damaged', 'not a key\n', noKey('FILE'), undefined],
  ])('%s', async (_, text, message, hint) => {
    const home = temporaryFolder()
    await uploadAll(home, smallReports.slice(0, 2))
    const file = join(home, 'master.key')
    const key = await readFile(file)
    rmSync(file)
    if (text !== undefined) writeFileSync(file, text)
    await expectLocked(home, {}, message, hint)
    writeFileSync(file, key)
    await expectUnlocked(home, {})
  })
})

describe('a key in RELT_MASTER_KEY', () => {
  test.each([
    ['is missing', {}, missing('RELT_MASTER_KEY, which is not set'), putBack],
    ['is another one', { RELT_MASTER_KEY: keyB }, 'RELT_MASTER_KEY is not the key that sealed this store.', useOwn],
    ['is damaged', { RELT_MASTER_KEY: 'abc' }, noKey('RELT_MASTER_KEY'), undefined],
  ])('%s', async (_, env: Record<string, string>, message, hint) => {
    const home = temporaryFolder()
    const withKey = { RELT_MASTER_KEY: keyA }
    for (const report of smallReports.slice(0, 2)) {
      await runCli(['reports', 'upload', '-'], { home, env: withKey, stdin: JSON.stringify(report) })
    }
    await expectLocked(home, env, message, hint)
    await expectUnlocked(home, withKey)
  })

  test('opens a store whose key was in a file', async () => {
    const home = temporaryFolder()
    await uploadAll(home, smallReports.slice(0, 2))
    const RELT_MASTER_KEY = (await readFile(join(home, 'master.key'), 'utf8')).trim()
    rmSync(join(home, 'master.key'))
    await expectUnlocked(home, { RELT_MASTER_KEY })
  })
})

test('nothing of a report stands readable in the folder', async () => {
  const home = temporaryFolder()
  const report = structuredClone(smallReports[0]!)
  report.checks.NET002!.Items[0]!.Resource = 'service/very-private-name'
  report.checks.NET002!.Items[0]!.Namespace = 'secret-namespace'
  await uploadAll(home, [report])
  const bytes = await readFile(join(home, 'relt.db'))
  for (const word of ['very-private-name', 'secret-namespace', 'registry.shop.example', 'runs as root']) {
    expect(bytes.includes(word)).toBe(false)
  }
})

test('an empty master key, left by a first upload that was killed while it wrote it, does not stop the next one', async () => {
  const home = join(temporaryFolder(), 'home')
  mkdirSync(home)
  writeFileSync(join(home, 'master.key'), '', { mode: 0o600 })
  const upload = { home, stdin: JSON.stringify(smallReports[0]) }
  expect(await runCli(['reports', 'upload', '-', '--quiet'], upload)).toMatchObject({ code: 0, stderr: '' })
  expect((await runCli(['reports', 'show', '--report'], { home })).code).toBe(0)
})
