import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLocalClient } from '../../../src/client/local.ts'
import { openDatabase } from '../../../src/db/open.ts'
import { ReltError } from '../../../src/errors.ts'
import { type Sealed, toKeyId } from '../../../src/util/seal.ts'
import { temporaryFolder } from '../../helpers/cli.ts'
import { newVault } from '../../helpers/vault.ts'
import { scan, toBytes } from '../../reports/scan.ts'
import { dump, now, openService } from '../service.ts'

const reports = ['2026-08-30T00:00:00Z', '2026-08-31T00:00:00Z'].map((generatedAt, i) =>
  toBytes(scan([{ resource: `deployment/${i}` }], { generatedAt })),
)

async function toClient(home: string, env: Record<string, string> = {}) {
  const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off', ...env }, now: () => now })
  onTestFinished(() => client.close())
  return client
}

const upload = async (home: string, report: Uint8Array, env: Record<string, string> = {}) =>
  (await toClient(home, env)).call('uploadReport', { body: {}, report })

const compare = async (home: string, env: Record<string, string> = {}) =>
  (await toClient(home, env)).call('compareReports', {})

async function contents(home: string) {
  const db = await openDatabase(join(home, 'relt.db'))
  const rows = await dump(db)
  await db.destroy()
  return rows
}

const hex = randomBytes(32).toString('hex')
const otherHex = randomBytes(32).toString('hex')

describe('the master key of a store', () => {
  test('is made at the first upload, in a file of its owner, and used again by the next process', async () => {
    const home = temporaryFolder()
    await upload(home, reports[0]!)
    const file = join(home, 'master.key')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const key = readFileSync(file)
    await upload(home, reports[1]!)
    expect(readFileSync(file)).toEqual(key)
    expect(await compare(home)).toMatchObject({ new_findings_count: 1, resolved_findings_count: 1 })
    expect((await contents(home)).meta).toEqual(
      expect.arrayContaining([
        JSON.stringify(['master_key_id', toKeyId(Buffer.from(key.toString().trim(), 'hex'))]),
        '["master_key_place","file"]',
      ]),
    )
  })

  test('is not needed for what is not private', async () => {
    const home = temporaryFolder()
    await upload(home, reports[0]!)
    rmSync(join(home, 'master.key'))
    const client = await toClient(home)
    expect(await client.call('listReports', {})).toMatchObject({ total: 1 })
    expect(await client.call('reportTrends', {})).toMatchObject({ points: [{ findings: 1 }] })
    expect(readdirSync(home)).not.toContain('master.key')
  })

  test('may come from the environment alone', async () => {
    const home = temporaryFolder()
    for (const report of reports) await upload(home, report, { RELT_MASTER_KEY: hex })
    expect(readdirSync(home)).not.toContain('master.key')
    expect(await compare(home, { RELT_MASTER_KEY: Buffer.from(hex, 'hex').toString('base64') })).toMatchObject({
      new_findings_count: 1,
    })
  })

  test('moves from its file into the environment', async () => {
    const home = temporaryFolder()
    for (const report of reports) await upload(home, report)
    const moved = readFileSync(join(home, 'master.key'), 'utf8').trim()
    rmSync(join(home, 'master.key'))
    expect(await compare(home, { RELT_MASTER_KEY: moved })).toMatchObject({ new_findings_count: 1 })
  })

  const file = (home: string) => join(home, 'master.key')
  test.each<[string, Record<string, string>, (home: string) => void, Record<string, string>, (home: string) => string]>(
    [
      [
        'the environment holds another',
        { RELT_MASTER_KEY: hex },
        () => {},
        { RELT_MASTER_KEY: otherHex },
        () => 'RELT_MASTER_KEY is not the key that sealed this store.',
      ],
      [
        'the environment holds another than the file',
        {},
        () => {},
        { RELT_MASTER_KEY: otherHex },
        () => 'RELT_MASTER_KEY is not the key that sealed this store.',
      ],
      [
        'the environment holds none',
        { RELT_MASTER_KEY: hex },
        () => {},
        {},
        () => 'The master key of this store is missing: it belongs in RELT_MASTER_KEY, which is not set.',
      ],
      [
        'the environment holds half of it',
        { RELT_MASTER_KEY: hex },
        () => {},
        { RELT_MASTER_KEY: hex.slice(0, 32) },
        () => 'RELT_MASTER_KEY holds no master key: 32 bytes in hex or base64 are needed.',
      ],
      [
        'the file is gone',
        {},
        (home) => rmSync(file(home)),
        {},
        (home) => `The master key of this store is missing: it belongs in ${file(home)}.`,
      ],
      [
        'the file holds another',
        {},
        (home) => writeFileSync(file(home), otherHex),
        {},
        (home) => `The key in ${file(home)} is not the key that sealed this store.`,
      ],
      [
        'the file is empty',
        {},
        (home) => writeFileSync(file(home), ''),
        {},
        (home) => `The master key of this store is missing: it belongs in ${file(home)}.`,
      ],
    ],
  )('is asked for in one sentence and nothing changes when %s', async (_, first, spoil, env, message) => {
    const home = temporaryFolder()
    for (const report of reports) await upload(home, report, first)
    spoil(home)
    const files = readdirSync(home).sort()
    const before = await contents(home)

    for (const work of [
      () => upload(home, toBytes(scan([], { generatedAt: '2026-08-20T00:00:00Z' })), env),
      () => upload(home, toBytes(scan([], { cluster: 'another' })), env),
      () => compare(home, env),
    ]) {
      const error = await work().then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(error).toBeInstanceOf(ReltError)
      expect(error).toMatchObject({ code: 'key_unavailable', message: message(home) })
    }
    expect(await contents(home)).toEqual(before)
    expect(readdirSync(home).sort()).toEqual(files)
  })

  test('finds a report that comes again, also by the next process', async () => {
    const home = temporaryFolder()
    await upload(home, reports[0]!)
    expect(await upload(home, reports[0]!)).toMatchObject({ duplicate: true })
    rmSync(file(home))
    await expect(upload(home, reports[0]!)).rejects.toMatchObject({ code: 'key_unavailable' })
  })
})

describe('a vault', () => {
  test('opens what it has sealed, of the same run and in the same place only', async () => {
    const mine = await newVault()
    const part = mine.seal('crun_a', 'details', 1, Buffer.from('x'))
    expect(mine.open('crun_a', part).toString()).toBe('x')
    const changed = 'What is stored does not open with its key: its bytes have changed.'
    expect(() => mine.open('crun_b', part)).toThrow(changed)
    expect(() => mine.open('crun_a', { ...part, part: 0 })).toThrow(changed)
    expect(() => mine.open('crun_a', { ...part, kind: 'context' })).toThrow(changed)
    expect(() => mine.open('crun_a', { ...part, sealed: part.sealed.subarray(1) as Sealed })).toThrow(changed)
    const other = await newVault()
    expect(() => other.open('crun_a', part)).toThrow(
      'What is stored was sealed with a key that this store does not have.',
    )
  })

  test('does not show a part that was moved from one run to another', async () => {
    const { db, call, upload } = await openService()
    const first = await upload([{ resource: 'deployment/a' }])
    const second = await upload([{ resource: 'deployment/b' }])
    const report = { params: { run_id: second.run_id }, query: { include_report: true } }
    expect(await call('getReport', report)).toHaveProperty('report')
    const { sealed } = await db
      .selectFrom('run_part')
      .innerJoin('run', 'run.id', 'run_part.run_id')
      .select('sealed')
      .where('run.run_id', '=', first.run_id)
      .where('kind', '=', 'report')
      .executeTakeFirstOrThrow()
    await db.updateTable('run_part').set({ sealed }).where('kind', '=', 'report').execute()
    await expect(call('getReport', report)).rejects.toMatchObject({ code: 'key_unavailable' })
  })
})
