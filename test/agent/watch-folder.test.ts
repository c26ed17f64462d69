import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type WatchOptions, watchFolder } from '../../src/agent/watch-folder.ts'
import { checkInnerFolder } from '../../src/util/inner-folder.ts'

const signal = new AbortController().signal

function makeFolder(options: Partial<WatchOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'relt-watch-'))
  const submitted: string[] = []
  const outcomes = new Map<string, 'done' | 'refused'>()
  const recorded: { name: string; outcome: string; reason: string | null }[] = []
  const watch = watchFolder({
    folder,
    pattern: '*.json',
    keep: false,
    now: () => Date.now() / 1000,
    find: async (hash) => outcomes.get(hash),
    submit: async ({ name, content }) => {
      if (content.includes('bad')) return 'It is no report.'
      submitted.push(name)
      return undefined
    },
    record: async ({ contentHash, ...file }) => {
      outcomes.set(contentHash, file.outcome)
      recorded.push(file)
    },
    ...options,
  })
  const put = (name: string, content: string) => writeFileSync(join(folder, name), content)
  const look = () => watch.look(signal)
  const list = (sub: string) => (existsSync(join(folder, sub)) ? readdirSync(join(folder, sub)).sort() : [])
  return { folder, put, look, list, submitted, recorded, watch }
}

test('takes a file that two looks found the same, and moves it', async () => {
  const { put, look, list, submitted } = makeFolder()
  put('a.json', '{"a":1}')
  put('note.txt', 'no report')
  expect(await look()).toMatchObject({ taken: 0, waiting: 1 })
  expect(await look()).toMatchObject({ taken: 1, waiting: 0 })
  expect(submitted).toEqual(['a.json'])
  expect(list('done')).toEqual(['a.json'])
  expect(list('.')).toEqual(['done', 'note.txt'])
})

test('waits for a file that grows, is replaced or has no end', async () => {
  const { folder, put, look, submitted } = makeFolder()
  put('grows.json', '{"a":')
  put('replaced.json', '{"a":1}')
  await look()
  put('grows.json', '{"a":1')
  put('next', '{"a":2}')
  renameSync(join(folder, 'next'), join(folder, 'replaced.json'))
  expect(await look()).toMatchObject({ taken: 0, waiting: 2 })
  expect(await look()).toMatchObject({ taken: 1, waiting: 1 })
  put('grows.json', '{"a":1}')
  await look()
  await look()
  expect(submitted).toEqual(['replaced.json', 'grows.json'])
})

test('refuses what has ended in the middle for ten minutes', async () => {
  const { folder, put, look, list } = makeFolder()
  put('cut.json', '{"a":')
  utimesSync(join(folder, 'cut.json'), Date.now() / 1000 - 700, Date.now() / 1000 - 700)
  await look()
  expect(await look()).toMatchObject({ refused: 1 })
  expect(list('refused')).toEqual(['cut.json', 'cut.json.reason.txt'])
})

test('refuses a bad file once, with the reason beside it', async () => {
  const { folder, put, look, list, recorded } = makeFolder()
  put('b.json', '{"bad":1}')
  for (let turn = 0; turn < 4; turn++) await look()
  expect(recorded).toEqual([{ name: 'b.json', outcome: 'refused', reason: 'It is no report.' }])
  expect(readFileSync(join(folder, 'refused', 'b.json.reason.txt'), 'utf8')).toBe('It is no report.\n')
  expect(list('done')).toEqual([])
})

test('refuses links, follows none and reads nothing outside', async () => {
  const { folder, look, submitted, list } = makeFolder()
  const secret = join(mkdtempSync(join(tmpdir(), 'relt-secret-')), 's.json')
  writeFileSync(secret, '{"secret":1}')
  symlinkSync(secret, join(folder, 'link.json'))
  symlinkSync('/nowhere', join(folder, 'dangling.json'))
  mkdirSync(join(folder, 'folder.json'))
  await look()
  await look()
  expect(submitted).toEqual([])
  expect(list('refused')).toContain('link.json')
  expect(readFileSync(secret, 'utf8')).toBe('{"secret":1}')
})

test('refuses more than 100 MB unread', async () => {
  const { folder, put, look, recorded } = makeFolder()
  put('large.json', '{}')
  truncateSync(join(folder, 'large.json'), 101 * 1024 * 1024)
  await look()
  await look()
  expect(recorded[0]).toMatchObject({ outcome: 'refused', reason: 'large.json: It is larger than 100 MB.' })
})

test('leaves a file where it is when it cannot be submitted now, and takes it later', async () => {
  let isDown = true
  const { put, look, list } = makeFolder({
    submit: async () => {
      if (isDown) throw new Error('down')
      return undefined
    },
  })
  put('a.json', '{"a":1}')
  await look()
  expect(await look()).toMatchObject({ taken: 0, waiting: 1, error: new Error('down') })
  expect(list('.')).toEqual(['a.json'])
  isDown = false
  expect(await look()).toMatchObject({ taken: 1 })
})

test('keeps files where the job says so, and knows them by their content', async () => {
  const { folder, put, look, list, submitted } = makeFolder({ keep: true })
  put('a.json', '{"a":1}')
  for (let turn = 0; turn < 3; turn++) await look()
  linkSync(join(folder, 'a.json'), join(folder, 'copy.json'))
  for (let turn = 0; turn < 3; turn++) await look()
  expect(submitted).toEqual(['a.json'])
  expect(list('.')).toEqual(['a.json', 'copy.json'])
})

test('gives a second file of a name another one', async () => {
  const { put, look, list } = makeFolder()
  for (const content of ['{"a":1}', '{"a":2}', '{"a":3}']) {
    put('a.json', content)
    await look()
    await look()
  }
  expect(list('done')).toEqual(['a.2.json', 'a.3.json', 'a.json'])
})

const onPosix = test.skipIf(process.platform === 'win32')

onPosix.each(['done', 'refused'])(
  'does not follow a link at %s/, and submits nothing until it is gone',
  async (name) => {
    const { folder, put, look, list, submitted } = makeFolder()
    const elsewhere = mkdtempSync(join(tmpdir(), 'relt-elsewhere-'))
    put('good.json', '{"a":1}')
    put('bad.json', '{"a":"bad"}')
    symlinkSync(elsewhere, join(folder, name))
    for (let turn = 0; turn < 3; turn++) await expect(look()).rejects.toThrow(/is a link/)
    expect([submitted, readdirSync(elsewhere)]).toEqual([[], []])
    unlinkSync(join(folder, name))
    await look()
    await look()
    expect([list('done'), list('refused')]).toEqual([['good.json'], ['bad.json', 'bad.json.reason.txt']])
  },
)

onPosix('moves nothing through a link that takes the place of a folder while a file is submitted', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'relt-elsewhere-'))
  const made = makeFolder({
    submit: async () => {
      renameSync(join(made.folder, 'done'), join(made.folder, 'was'))
      symlinkSync(elsewhere, join(made.folder, 'done'))
      return undefined
    },
  })
  mkdirSync(join(made.folder, 'done'))
  made.put('a.json', '{"a":1}')
  await made.look()
  expect((await made.look()).error?.message).toMatch(/is a link/)
  expect(readdirSync(elsewhere)).toEqual([])
})

test.runIf(process.geteuid?.() === 0)('refuses a folder of another account', async () => {
  const { folder, put, look, list } = makeFolder()
  mkdirSync(join(folder, 'done'))
  chownSync(join(folder, 'done'), 65_534, 65_534)
  put('a.json', '{"a":1}')
  await expect(look()).rejects.toThrow(/belongs to another account/)
  expect(list('done')).toEqual([])
})

test.runIf(process.platform === 'linux' && existsSync('/dev/shm'))('refuses a folder on another file system', () => {
  const outer = mkdtempSync(join(tmpdir(), 'relt-watch-'))
  const other = mkdtempSync('/dev/shm/relt-')
  onTestFinished(() => rmSync(other, { recursive: true }))
  if (statSync(outer).dev === statSync(other).dev) return
  expect(() => checkInnerFolder(dirname(other), basename(other))).not.toThrow()
  expect(() => checkInnerFolder('/dev', 'shm')).toThrow(/another file system/)
})
