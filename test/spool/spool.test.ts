import fs, {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { decodeContent, decodeHead, encodeEntry } from '../../src/spool/entry-file.ts'
import type { NewEntry } from '../../src/spool/spool.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { testNow } from '../helpers/cli.ts'
import { entryWith, openSpool, server } from './entries.ts'

const fileFor = (folder: string, id: string) => join(folder, `${id}.upload`)

function codeFor(work: () => unknown): string {
  try {
    work()
    return 'none'
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('an upload that is kept', () => {
  test('is read back as it was, by another process too', () => {
    const { home, spool } = openSpool()
    const upload = entryWith(1)
    const { id } = spool.put(upload, testNow)
    const { spool: other } = openSpool({ home })
    expect(other.list()).toEqual([
      {
        id,
        server,
        cluster: 'shop-1',
        environment: 'prod',
        created: testNow,
        idempotencyKey: 'sha256-1',
        bytes: statSync(fileFor(spool.folder, id)).size,
        attempts: { count: 0, lastError: null, refused: false },
      },
    ])
    const { body, report } = other.read(id)!
    expect({ body, report: report.toString() }).toEqual({ body: upload.body, report: upload.report.toString() })
  })

  test('is refused by two processes at once without an error', () => {
    const { home, spool } = openSpool()
    const { id } = spool.put(entryWith(1), testNow)
    const entry = spool.find(id)!
    const { spool: other } = openSpool({ home })
    other.failed(other.find(id)!, { error: 'first', refused: true })
    expect(() => spool.failed(entry, { error: 'second', refused: true })).not.toThrow()
    expect(spool.usage()).toMatchObject({ waiting: 0, refused: 1 })
  })

  test('stays, with an error, where it cannot be moved to the refused ones', () => {
    const { spool } = openSpool()
    const { id } = spool.put(entryWith(1), testNow)
    mkdirSync(join(spool.folder, 'refused', `${id}.upload`), { recursive: true })
    const refuse = () => spool.failed(spool.find(id)!, { error: 'no such cluster', refused: true })
    expect(codeFor(refuse)).toMatch(/^(?:EISDIR|EPERM|EEXIST)$/)
    expect(existsSync(fileFor(spool.folder, id))).toBe(true)
  })

  test('waits behind those that came before', () => {
    const { spool } = openSpool()
    const ids = [3, 1, 2].map((number) => spool.put(entryWith(number), testNow).id)
    expect(spool.list().map(({ id }) => id)).toEqual(ids)
  })

  test('can be read by its owner only, and holds nothing of the report in the clear', () => {
    const { home, spool } = openSpool()
    const { id } = spool.put(entryWith(1, { report: Buffer.from('{"secret":"tiger"}') }), testNow)
    for (const file of [fileFor(spool.folder, id), join(home, 'spool.key')]) expect(statSync(file).mode & 0o077).toBe(0)
    expect(statSync(spool.folder).mode & 0o077).toBe(0)
    expect(readFileSync(fileFor(spool.folder, id)).includes('tiger')).toBe(false)
    expect(readdirSync(spool.folder)).toEqual([`${id}.upload`])
  })

  test('is kept once, however often the same report comes for the same place', () => {
    const { spool } = openSpool()
    const first = spool.put(entryWith(1), testNow)
    expect(spool.put(entryWith(1), testNow + 60)).toEqual(first)
    const places = [
      { environment: 'dev' },
      { cluster: 'other' },
      { idempotencyKey: 'sha256-other' },
      { server: { ...server, url: 'https://other.example' } },
      { server: { ...server, user: 'bob' } },
      { server: { ...server, team: 'red' } },
    ]
    for (const place of [...places, ...places]) spool.put(entryWith(1, place), testNow)
    expect(spool.list()).toHaveLength(1 + places.length)
  })

  test('tells what became of sending it', () => {
    const { spool } = openSpool()
    spool.put(entryWith(1), testNow)
    spool.failed(spool.list()[0]!, { error: 'nothing listens there', refused: false })
    spool.failed(spool.list()[0]!, { error: 'no such cluster', refused: true })
    expect(spool.list()).toEqual([])
    const [refused] = spool.listRefused()
    expect(refused!.attempts).toEqual({ count: 2, lastError: 'no such cluster', refused: true })
    expect(readdirSync(spool.folder)).toEqual(['refused'])
    expect(String(spool.read(refused!.id)!.report)).toBe(String(entryWith(1).report))
    spool.failed(refused!, { error: 'nothing listens there', refused: false })
    expect(spool.listRefused()[0]!.attempts).toEqual({ count: 3, lastError: 'nothing listens there', refused: true })
    spool.remove(refused!.id)
    expect(readdirSync(join(spool.folder, 'refused'))).toEqual([])
  })
})

describe('the key', () => {
  const key = 'ab'.repeat(32)

  test('is RELT_MASTER_KEY where it is set, and then no file is made', () => {
    const { home, spool } = openSpool({ env: { RELT_MASTER_KEY: key } })
    const { id } = spool.put(entryWith(1), testNow)
    expect(readdirSync(home)).toEqual(['spool'])
    const { spool: without, warnings } = openSpool({ home })
    expect(without.list()).toHaveLength(1)
    expect(codeFor(() => without.read(id))).toBe('key_unavailable')
    expect(warnings).toEqual([])
    expect(spool.read(id)).toBeDefined()
  })

  test('of before opens what was sealed before', () => {
    const { home, spool } = openSpool()
    const { id } = spool.put(entryWith(1), testNow)
    const { spool: later } = openSpool({ home, env: { RELT_MASTER_KEY: key } })
    later.put(entryWith(2), testNow)
    expect(later.read(id)).toBeDefined()
  })

  test('that is broken is told, and nothing is sealed with another', () => {
    const { home, spool } = openSpool()
    writeFileSync(join(home, 'spool.key'), 'short')
    expect(codeFor(() => spool.put(entryWith(1), testNow))).toBe('key_unavailable')
    expect(spool.list()).toEqual([])
  })
})

describe('a full spool', () => {
  test('by count refuses, says what to do, and drops nothing', () => {
    const { spool } = openSpool({ limits: { count: 2, bytes: 1_000_000 } })
    for (const number of [1, 2]) spool.put(entryWith(number), testNow)
    expect(() => spool.put(entryWith(3), testNow)).toThrow(/is full: the limit is 2 uploads/)
    expect(codeFor(() => spool.put(entryWith(3), testNow))).toBe('store_unusable')
    expect(spool.list().map(({ cluster }) => cluster)).toEqual(expect.arrayContaining(['shop-1', 'shop-2']))
    spool.remove(spool.list()[0]!.id)
    spool.put(entryWith(3), testNow)
  })

  test('by bytes refuses; what a killed process left counts until it is old', () => {
    const { spool } = openSpool({ limits: { count: 100, bytes: 3_000 } })
    const { id } = spool.put(entryWith(1), testNow)
    const draft = join(spool.folder, `${id}.upload.4711`)
    writeFileSync(draft, Buffer.alloc(2_500))
    expect(() => spool.put(entryWith(2), testNow)).toThrow(/is full/)
    utimesSync(draft, new Date(0), new Date(0))
    spool.put(entryWith(2), testNow)
    expect(spool.list()).toHaveLength(2)
    expect(readdirSync(spool.folder)).not.toContain(`${id}.upload.4711`)
  })
})

describe('the spool of a new process', () => {
  test('counts uploads of all states and versions', () => {
    const { spool } = openSpool({ limits: { count: 200 } })
    const { id } = spool.put(entryWith(0), testNow)
    for (let number = 2; number < 200; number++) {
      const other = `spl_${number.toString(36).padStart(9, '0')}${'0123abcd'}`
      copyFileSync(fileFor(spool.folder, id), fileFor(spool.folder, other))
    }
    spool.put(entryWith(1), testNow)
    expect(spool.list()).toHaveLength(200)
    expect(codeFor(() => spool.put(entryWith(2), testNow))).toBe('store_unusable')
  })

  test('takes 1 GB of drafts and uploads', () => {
    const { spool } = openSpool()
    const { id } = spool.put(entryWith(0), testNow)
    const filler = join(spool.folder, `${id}.upload.4711`)
    const used = statSync(fileFor(spool.folder, id)).size
    const size = 1024 * 1024 * 1024 - 1024 - used
    for (const [more, takes] of [
      [1000, false],
      [-1000, true],
    ] as const) {
      writeFileSync(filler, '')
      truncateSync(filler, size + more)
      expect(codeFor(() => spool.put(entryWith(1), testNow))).toBe(takes ? 'none' : 'store_unusable')
    }
  })

  test('numbers uploads in their order when the clock was set back', () => {
    const { home, spool } = openSpool()
    onTestFinished(() => void vi.useRealTimers())
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 8, 2) })
    const first = spool.put(entryWith(1), testNow).id
    vi.setSystemTime(Date.UTC(2026, 8, 1))
    const second = openSpool({ home }).spool.put(entryWith(2), testNow).id
    expect(first < second).toBe(true)
    expect(spool.list().map(({ cluster }) => cluster)).toEqual(['shop-1', 'shop-2'])
  })

  test('clears what a killed process left, and nothing else', () => {
    const { spool } = openSpool()
    const { id } = spool.put(entryWith(1), testNow)
    const names = [`${id}.upload.4711`, `${id}.attempts.4711`, 'lock.4711', `${id}.broken`, 'notes.txt', 'lock']
    const hour = 3_600_000
    for (const name of names) {
      const file = join(spool.folder, name)
      writeFileSync(file, 'x')
      const at = new Date(Date.now() - hour - 60_000)
      utimesSync(file, at, at)
    }
    const young = join(spool.folder, `${id}.upload.4712`)
    writeFileSync(young, 'x')
    utimesSync(young, new Date(Date.now() - hour + 60_000), new Date(Date.now() - hour + 60_000))
    spool.put(entryWith(2), testNow)
    expect(names.filter((name) => existsSync(join(spool.folder, name)))).toEqual([`${id}.broken`, 'notes.txt', 'lock'])
    expect(existsSync(young)).toBe(true)
  })
})

describe('the same upload', () => {
  test.each<[string, Partial<NewEntry>]>([
    ['another key', { idempotencyKey: 'other' }],
    ['another server', { server: { ...server, url: 'https://other.example' } }],
    ['another user', { server: { ...server, user: 'bob' } }],
    ['another cluster', { cluster: 'other' }],
    ['another environment', { environment: 'dev' }],
  ])('with %s is another one', (_, more) => {
    const { spool } = openSpool()
    spool.put(entryWith(1), testNow)
    spool.put(entryWith(1, more), testNow)
    expect(spool.list()).toHaveLength(2)
  })

  test('to a server that got another name meanwhile is the same', () => {
    const { spool } = openSpool()
    spool.put(entryWith(1), testNow)
    spool.put(entryWith(1, { server: { ...server, name: 'renamed' } }), testNow)
    expect(spool.list()).toHaveLength(1)
  })

  test('is put again when its server refused it', () => {
    const { spool } = openSpool()
    spool.put(entryWith(1), testNow)
    spool.failed(spool.list()[0]!, { error: 'no such cluster', refused: true })
    spool.put(entryWith(1), testNow)
    expect([spool.list(), spool.listRefused()]).toMatchObject([
      [{ attempts: { refused: false } }],
      [{ attempts: { refused: true } }],
    ])
  })
})

describe('an upload in a file', () => {
  const redirect = (file: string, more: Partial<typeof server>) => {
    const { head, content } = decodeContent(readFileSync(file))
    const { contentHash: _, ...rest } = head
    writeFileSync(file, encodeEntry({ ...rest, server: { ...rest.server, ...more } }, content))
  }

  test.each([{ url: 'https://evil.example/api/relt/v1' }, { user: 'eve' }])(
    'does not open when its head was made to say %j',
    (more) => {
      const { spool, warnings } = openSpool()
      const { id } = spool.put(entryWith(1), testNow)
      redirect(fileFor(spool.folder, id), more)
      expect(spool.list()).toHaveLength(1)
      expect(spool.read(id)).toBeUndefined()
      expect(warnings).toEqual([expect.stringContaining('is broken')])
      expect(spool.listBroken()).toEqual([id])
    },
  )

  test('opens when its server only got another name', () => {
    const { spool } = openSpool()
    const { id } = spool.put(entryWith(1), testNow)
    redirect(fileFor(spool.folder, id), { name: 'renamed' })
    expect(spool.read(id)).toBeDefined()
  })

  test('is nothing when it is gone, and no warning', () => {
    const { spool, warnings } = openSpool()
    expect([spool.read(`spl_${'0'.repeat(17)}`), spool.list(), spool.listBroken(), warnings]).toEqual([
      undefined,
      [],
      [],
      [],
    ])
  })

  test('keeps the first 500 characters of an error', () => {
    const { spool } = openSpool()
    spool.put(entryWith(1), testNow)
    spool.failed(spool.list()[0]!, { error: 'x'.repeat(501), refused: false })
    expect(spool.list()[0]!.attempts.lastError).toHaveLength(500)
  })
})

describe('a disk', () => {
  const system = fs as { -readonly [Name in keyof typeof fs]: (typeof fs)[Name] }
  /** Until the end of the test. */
  function patch<Name extends 'openSync' | 'renameSync'>(
    name: Name,
    change: (real: (typeof fs)[Name]) => (typeof fs)[Name],
  ) {
    const real = system[name]
    const set = (work: typeof real) => {
      system[name] = work
      syncBuiltinESMExports()
    }
    onTestFinished(() => set(real))
    set(change(real))
  }

  test('from which another process has taken a broken upload needs no warning', () => {
    const { spool, warnings } = openSpool()
    const { id } = spool.put(entryWith(1), testNow)
    truncateSync(fileFor(spool.folder, id), 10)
    patch('renameSync', (rename) => (from, to) => {
      rename(from, `${from}.elsewhere`)
      rename(from, to)
    })
    expect(spool.find(id)).toBeUndefined()
    expect(warnings).toEqual([])
  })

  test.each(['EIO', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE'])('that answers %s breaks no upload', (code) => {
    const { spool, warnings } = openSpool()
    const { id } = spool.put(entryWith(1), testNow)
    patch('openSync', () => () => {
      throw Object.assign(new Error(`${code}: no`), { code })
    })
    expect(codeFor(() => spool.list())).toBe('store_unusable')
    expect(existsSync(fileFor(spool.folder, id))).toBe(true)
    expect(warnings).toEqual([])
  })
})

test('alone gives back what the work gives, also nothing', async () => {
  const { spool } = openSpool()
  expect(await spool.alone(async () => undefined)).toBeUndefined()
})

test('alone refuses a second process, and gives its work back to the first', async () => {
  const { home, spool } = openSpool()
  const { spool: other } = openSpool({ home })
  const done = await spool.alone(async () => {
    await expect(other.alone(async () => 'second')).rejects.toMatchObject({ code: 'busy' })
    return 'first'
  })
  expect(done).toBe('first')
  expect(await other.alone(async () => 'second')).toBe('second')
})

describe('a broken upload', () => {
  test.each<[string, (bytes: Buffer) => Uint8Array]>([
    ['is empty', () => Buffer.alloc(0)],
    ['is cut in its head', (bytes) => bytes.subarray(0, 100)],
    ['has another head', (bytes) => Buffer.from(bytes.toString('latin1').replace('shop-1', 'shop-9'), 'latin1')],
  ])('that %s is set aside with a message, and the others stay', (_, spoil) => {
    const { spool, warnings } = openSpool()
    const ids = [1, 2].map((number) => spool.put(entryWith(number), testNow).id)
    const file = fileFor(spool.folder, ids[0]!)
    writeFileSync(file, spoil(readFileSync(file)))
    expect(spool.list().map(({ id }) => id)).toEqual([ids[1]])
    expect(warnings).toEqual([expect.stringContaining(`The upload ${ids[0]} is broken`)])
    expect(spool.listBroken()).toEqual([ids[0]])
    expect(spool.read(ids[1]!)).toBeDefined()
    spool.remove(ids[0]!)
    expect(spool.listBroken()).toEqual([])
  })

  test('is noticed wherever a byte of it differs', () => {
    const { spool, warnings } = openSpool()
    const { id } = spool.put(entryWith(1), testNow)
    const whole = readFileSync(fileFor(spool.folder, id))
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = Buffer.from(whole)
        bytes[at]! ^= change
        expect(() => decodeContent(bytes)).toThrow()
      }),
    )
    writeFileSync(fileFor(spool.folder, id), whole.subarray(0, -1))
    expect(spool.read(id)).toBeUndefined()
    expect(warnings).toEqual([expect.stringContaining('its content was modified or truncated')])
  })

  test('that got the name of another does not open', () => {
    const { spool } = openSpool()
    const [a, b] = [1, 2].map((number) => spool.put(entryWith(number), testNow).id)
    writeFileSync(fileFor(spool.folder, a!), readFileSync(fileFor(spool.folder, b!)))
    expect(spool.read(a!)).toBeUndefined()
    expect(spool.read(b!)).toBeDefined()
  })

  test('never makes the reader of heads do anything but throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(() => decodeHead(bytes)).toThrow()
      }),
    )
  })
})

test('what else lies in the folder is left alone', () => {
  const { spool, warnings } = openSpool()
  spool.put(entryWith(1), testNow)
  for (const name of ['notes.txt', '../evil.upload', 'x.upload']) writeFileSync(join(spool.folder, name), 'x')
  expect(spool.list()).toHaveLength(1)
  expect(warnings).toEqual([])
})

test('every head is read back as it was', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 100 })
  const orNull = fc.option(text)
  const heads = fc.record({
    server: fc.record({ name: orNull, url: text, user: orNull }),
    cluster: orNull,
    environment: orNull,
    created: fc.nat(),
    idempotencyKey: text,
    keyId: text,
  })
  fc.assert(
    fc.property(heads, fc.uint8Array(), (head, content) => {
      const decoded = decodeContent(encodeEntry(head, content))
      expect(decoded.head).toMatchObject(head)
      expect([...decoded.content]).toEqual([...content])
    }),
  )
})
