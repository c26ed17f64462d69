import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findProgram } from '../../src/util/exec.ts'
import { reltFile, start } from '../helpers/process.ts'
import { makeSmallStore } from '../helpers/small-store.ts'

/** Files that relt reads in its folders and cannot do without, and a command that reads them. */
const readers: [file: string, command: string, env?: Record<string, string>][] = [
  ['relt.db', 'reports list'],
  ['relt.db', 'doctor'],
  ['relt.db', 'admin verify'],
  ['relt.db', 'admin backup copy.db'],
  ['relt.db', 'serve --port 0'],
  ['relt.db-wal', 'reports list'],
  ['relt.db-wal', 'admin verify'],
  ['relt.db-shm', 'reports list'],
  ['relt.db-journal', 'reports list'],
  ['master.key', 'findings list'],
  ['master.key', 'doctor'],
  ['master.key', 'admin verify'],
  ['config.json', 'reports list'],
  ['agent.yaml', 'agent check'],
]
/** relt does without them. */
const spared: typeof readers = [
  ['looked.json', 'catalog status'],
  ['cache/update-notice', 'status'],
  ['spool.key', 'spool list'],
]

/** Folders of these tests. They run at once, so none may take its folder for another's. */
const folders: string[] = []

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'relt-test-'))
  folders.push(folder)
  return folder
}

/** A pipe without a writer. Reading it would last for ever in a system call, so the command is a process of its own. */
async function runBesidePipe([file, command, env]: (typeof readers)[number]) {
  const home = join(makeFolder(), 'home')
  cpSync(await filledHome(), home, { recursive: true })
  const path = join(home, file)
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true })
  execFileSync('mkfifo', ['-m', '600', path])
  return start(reltFile, command.split(' '), { RELT_HOME: home, ...env }).finished
}

let filled: Promise<string> | undefined

function filledHome(): Promise<string> {
  filled ??= (async () => {
    const home = makeFolder()
    await makeSmallStore(home)
    return home
  })()
  return filled
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

describe.runIf(findProgram('mkfifo', process.env))('a pipe in place of a file', () => {
  test.concurrent.each(readers)('%s is refused by `%s`', async (...reader) => {
    const { code, stdout, stderr } = await runBesidePipe(reader)
    expect([code, stdout + stderr]).toEqual([expect.toBeOneOf([1, 2, 4]), expect.stringMatching(/it is not a file/)])
  })

  test.concurrent.each(spared)('%s does not stop `%s`', async (...reader) => {
    expect(await runBesidePipe(reader)).toMatchObject({ code: 0 })
  })
})
