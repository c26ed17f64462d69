import fs, { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { writeAttempts } from '../../src/spool/attempts.ts'
import { serverTag } from '../../src/spool/entry-id.ts'
import type { Spool } from '../../src/spool/spool.ts'
import { testNow } from '../helpers/cli.ts'
import { canMount, mountedFolder } from '../helpers/mount.ts'
import { entryWith, openSpool, server } from './entries.ts'

const other = { ...server, url: 'https://other.example' }
const put = (spool: Spool, ...numbers: number[]) => numbers.map((number) => spool.put(entryWith(number), testNow).id)
const fileFor = (spool: Spool, id: string, folder = '') => join(spool.folder, folder, `${id}.upload`)

describe('a queue', () => {
  test('that is longer than one chunk is read in its order', () => {
    const { spool } = openSpool()
    const [id] = put(spool, 1)
    const file = readFileSync(fileFor(spool, id!))
    const ids = Array.from(
      { length: 4100 },
      (_, i) => `spl_${((i * 7919) % 4100).toString(36).padStart(9, '0')}0123abcd`,
    )
    for (const each of ids) writeFileSync(fileFor(spool, each), file)
    expect(spool.list().map((entry) => entry.id)).toEqual([...ids.toSorted(), id])
    expect(spool.list(3).map((entry) => entry.id)).toEqual(ids.toSorted().slice(0, 3))
    expect(spool.usage().waiting).toBe(4101)
  })

  test('opens no file of a server that is not wanted', () => {
    const { spool, warnings } = openSpool()
    const [first] = put(spool, 1)
    const { id } = spool.put(entryWith(2, { server: other }), testNow)
    writeFileSync(fileFor(spool, first!), 'broken')
    const wanted = [...spool.entries({ isWanted: (tag) => tag === serverTag(other.url) })]
    expect([wanted.map((entry) => entry.id), warnings]).toEqual([[id], []])
    expect(existsSync(fileFor(spool, first!))).toBe(true)
  })

  test('knows the server of an upload whose id has no tag', () => {
    const { spool } = openSpool()
    const [id] = put(spool, 1)
    const older = 'spl_0000000010123abcd'
    renameSync(fileFor(spool, id!), fileFor(spool, older))
    expect([...spool.entries({ isWanted: () => false })]).toEqual([])
    expect([...spool.entries({ isWanted: (tag) => tag === serverTag(server.url) })]).toHaveLength(1)
  })

  test('asks again about each upload when its turn comes', () => {
    const { spool } = openSpool()
    put(spool, 1, 2, 3)
    let isWanted = true
    const seen: string[] = []
    for (const { cluster } of spool.entries({ isWanted: () => isWanted })) {
      seen.push(cluster!)
      isWanted = false
    }
    expect(seen).toEqual(['shop-1'])
  })

  test('finds a duplicate without reading other uploads', () => {
    const { spool, warnings } = openSpool()
    const ids = put(spool, 1, 2)
    writeFileSync(fileFor(spool, ids[0]!), 'broken')
    expect(put(spool, 2)).toEqual([ids[1]])
    expect(put(spool, 3)).toHaveLength(1)
    expect(warnings).toEqual([])
  })
})

describe('a refused upload', () => {
  test('that an older version left in the queue moves aside with its reason', () => {
    const { spool } = openSpool()
    const ids = put(spool, 1, 2)
    writeAttempts(join(spool.folder, `${ids[0]}.attempts`), { count: 2, lastError: 'no such cluster', refused: true })
    expect(spool.list().map(({ id }) => id)).toEqual([ids[1]])
    expect(spool.listRefused()).toMatchObject([
      { id: ids[0], attempts: { count: 2, lastError: 'no such cluster', refused: true } },
    ])
    expect(readdirSync(spool.folder).sort()).toEqual([`${ids[1]}.upload`, 'refused'].sort())
  })

  test('whose reason was lost is refused all the same', () => {
    const { spool } = openSpool()
    const [id] = put(spool, 1)
    mkdirSync(join(spool.folder, 'refused'))
    renameSync(fileFor(spool, id!), fileFor(spool, id!, 'refused'))
    expect(spool.listRefused()).toMatchObject([{ attempts: { count: 0, refused: true } }])
    expect(spool.find(id!)).toMatchObject({ attempts: { refused: true } })
    expect(spool.has(id!)).toBe(true)
  })

  test('that is broken is set aside', () => {
    const { spool } = openSpool()
    const [id] = put(spool, 1)
    spool.failed(spool.find(id!)!, { error: 'no', refused: true })
    writeFileSync(fileFor(spool, id!, 'refused'), 'broken')
    expect([spool.listRefused(), spool.listBroken()]).toEqual([[], [id]])
  })
})

test('an upload is found by its id in any state', () => {
  const { spool } = openSpool()
  const [id] = put(spool, 1)
  expect([spool.has(id!), spool.find(id!)?.id]).toEqual([true, id])
  writeFileSync(fileFor(spool, id!), 'broken')
  expect([spool.find(id!), spool.has(id!), [...spool.ids('broken')]]).toEqual([undefined, true, [id]])
  expect([spool.has('../spool.key'), spool.find('../spool.key')]).toEqual([false, undefined])
})

test('one unreadable file does not stop those behind it, and is told at the end', () => {
  const { spool } = openSpool()
  const ids = put(spool, 1, 2)
  const system = fs as { -readonly [Name in keyof typeof fs]: (typeof fs)[Name] }
  const { openSync: real } = system
  const change = (open: typeof real) => {
    system.openSync = open
    syncBuiltinESMExports()
  }
  onTestFinished(() => change(real))
  change((path, ...more) => {
    if (path === fileFor(spool, ids[0]!))
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
    return real(path, ...more)
  })
  const entries = spool.entries()
  expect(entries.next().value).toMatchObject({ id: ids[1] })
  expect(() => entries.next()).toThrow('cannot be read')
})

describe.runIf(canMount())('a full disk', () => {
  const fill = (folder: string) => {
    for (const size of [65_536, 4096, 1]) {
      for (let number = 0; ; number++) {
        try {
          writeFileSync(join(folder, `filler-${size}-${number}`), Buffer.alloc(size))
        } catch {
          break
        }
      }
    }
  }

  test('refuses an upload, names the problem, and loses nothing that waits', async () => {
    const home = mountedFolder(1)
    const { spool } = openSpool({ home })
    const [id] = put(spool, 1)
    expect([spool.lastFailure, spool.findProblem()]).toEqual([undefined, undefined])
    fill(home)
    expect(() => put(spool, 2)).toThrow(/cannot be written: ENOSPC/)
    expect(spool.lastFailure).toContain('ENOSPC')
    expect(spool.findProblem()).toContain('ENOSPC')
    expect(spool.list().map((entry) => entry.id)).toEqual([id])
    expect(spool.read(id!)).toBeDefined()
    expect(readdirSync(spool.folder)).toEqual([`${id}.upload`])
  })

  test('does not stop sending, which makes room', async () => {
    const home = mountedFolder(1)
    const { spool, warnings } = openSpool({ home })
    const ids = put(spool, 1, 2)
    fill(home)
    const result = await spool.alone(async () => {
      await expect(openSpool({ home }).spool.alone(async () => 1)).rejects.toMatchObject({ code: 'busy' })
      spool.failed(spool.find(ids[0]!)!, { error: 'no answer', refused: false })
      spool.remove(ids[1]!)
      return 'sent'
    })
    expect(result).toBe('sent')
    expect(spool.list().map(({ id }) => id)).toEqual([ids[0]])
    expect(warnings.length).toBeLessThanOrEqual(1)
    expect(readdirSync(spool.folder).filter((name) => name.startsWith('lock'))).toEqual([])
    expect(await spool.alone(async () => 'again')).toBe('again')
  })
})
