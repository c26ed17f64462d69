import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openKeychain } from '../../src/config/keychain.ts'
import { loadAddon } from '../../src/config/load-addon.ts'
import { version } from '../../src/version.ts'
import { temporaryFolder } from '../helpers/cli.ts'

const embedded = Buffer.from('the addon of the executable')
vi.mock('node:sea', () => ({
  isSea: () => true,
  getRawAsset: () => embedded.buffer.slice(embedded.byteOffset, embedded.byteOffset + embedded.length),
}))

interface Load {
  file: string
  bytes: Buffer
  folderMode: number
}

/** In place of the system's loader. */
function watchLoads(refused: (file: string) => boolean = () => false): Load[] {
  const loads: Load[] = []
  vi.spyOn(process, 'dlopen').mockImplementation((module, file) => {
    if (refused(file)) throw new Error('failed to map segment from shared object')
    loads.push({ file, bytes: readFileSync(file), folderMode: statSync(dirname(file)).mode & 0o777 })
    Object.assign(module as object, { exports: { AsyncEntry: class {} } })
  })
  return loads
}

afterEach(() => {
  vi.restoreAllMocks()
})

test('the keychain addon of the executable is not loaded from the data folder', async () => {
  const loads = watchLoads()
  const home = temporaryFolder()
  for (const name of ['keyring.node', `keyring-${version}-${process.arch}.node`, 'addon.node']) {
    writeFileSync(join(home, name), 'planted')
  }
  expect(await openKeychain(home)).toBeDefined()
  expect(loads).toMatchObject([{ bytes: embedded, folderMode: 0o700 }])
  expect(loads[0]!.file.startsWith(home)).toBe(false)
  expect(existsSync(dirname(loads[0]!.file))).toBe(false)
})

describe('an addon', () => {
  test('is loaded from a new folder each time, of which nothing stays', () => {
    const loads = watchLoads()
    const place = temporaryFolder()
    for (let i = 0; i < 2; i++) loadAddon(embedded, [place])
    expect(new Set(loads.map(({ file }) => file)).size).toBe(2)
    expect(readdirSync(place)).toEqual([])
  })

  test('is loaded from the next place where the first one loads no code', () => {
    const [noexec, place] = [temporaryFolder(), join(temporaryFolder(), 'new')]
    const loads = watchLoads((file) => file.startsWith(noexec))
    loadAddon(embedded, [noexec, place])
    expect(loads).toMatchObject([{ file: expect.stringContaining(place), bytes: embedded }])
    expect([readdirSync(noexec), readdirSync(place)]).toEqual([[], []])
  })

  test.skipIf(process.platform === 'win32')('is not loaded from below a folder that others can change', () => {
    const loads = watchLoads()
    const open = join(temporaryFolder(), 'open')
    const below = join(open, 'below')
    mkdirSync(below, { recursive: true, mode: 0o700 })
    chmodSync(open, 0o777)
    for (const place of [open, below]) expect(() => loadAddon(embedded, [place])).toThrow('others')
    chmodSync(open, 0o1777)
    loadAddon(embedded, [below])
    expect(loads).toHaveLength(1)
  })

  test('works when it was loaded so', async () => {
    const require = createRequire(import.meta.url)
    const scope = dirname(dirname(require.resolve('@napi-rs/keyring')))
    const files = readdirSync(scope).flatMap((name) =>
      readdirSync(join(scope, name)).map((file) => join(scope, name, file)),
    )
    const addon = files.find((file) => file.endsWith('.node'))!
    const script = `
      const { loadAddon } = await import(${JSON.stringify(new URL('../../src/config/load-addon.ts', import.meta.url).href)})
      const { readFileSync } = await import('node:fs')
      const { AsyncEntry } = loadAddon(readFileSync(process.argv[1]), [process.argv[2]])
      console.log(typeof AsyncEntry)`
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, addon, temporaryFolder()])
    expect(stdout).toBe('function\n')
  })
})
