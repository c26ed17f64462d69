import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { copyDatabase } from '../../src/db/copy.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { type Started, start } from '../helpers/process.ts'

const writerFile = fileURLToPath(new URL('../helpers/pair-writer.ts', import.meta.url))

function makePairs(): string {
  const file = join(temporaryFolder(), 'pairs.db')
  const db = new DatabaseSync(file)
  db.exec(`pragma journal_mode = wal;
    create table taken (id integer primary key, amount integer not null, filler blob not null);
    create table given (id integer primary key, amount integer not null, filler blob not null);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
    insert into taken select i, 0, randomblob(2000) from n;
    insert into given select * from taken`)
  db.close()
  return file
}

async function copyOf(file: string): Promise<DatabaseSync> {
  const copy = `${file}.copy`
  writeFileSync(copy, '')
  await copyDatabase(file, copy)
  const db = new DatabaseSync(copy)
  onTestFinished(() => rmSync(copy, { force: true }))
  return db
}

async function endAll(writers: Started[]): Promise<void> {
  for (const { child } of writers) child.kill('SIGKILL')
  await Promise.all(writers.map(({ finished }) => finished))
}

const sums = 'select (select sum(amount) from taken) as taken, (select sum(amount) from given) as given'

test('copies whole transactions of a database that three processes write to', async () => {
  const file = makePairs()
  const writers = ['1', '100000', '200000'].map((seed) => start(writerFile, [file, seed], {}))
  onTestFinished(() => endAll(writers))
  await Promise.all(writers.map(({ child }) => new Promise((resolve) => child.stdout?.once('data', resolve))))
  const seen = new Set<number>()
  for (let i = 0; i < 20; i++) {
    const db = await copyOf(file)
    const { taken, given } = db.prepare(sums).get() as { taken: number; given: number }
    expect(taken + given).toBe(0)
    expect(db.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
    seen.add(given)
    db.close()
    rmSync(`${file}.copy`)
  }
  expect(seen.size).toBeGreaterThan(5)
})

test('copies changes that are only in the WAL, and nothing of an open transaction', async () => {
  const file = makePairs()
  const db = new DatabaseSync(file)
  db.exec('update given set amount = 7 where id = 1; begin; update given set amount = 8 where id = 1')
  const copy = await copyOf(file)
  expect(copy.prepare('select amount from given where id = 1').get()).toEqual({ amount: 7 })
  copy.close()
  db.close()
})

const hex = (number: number) => number.toString(16).padStart(2, '0')

test.skipIf(process.platform !== 'linux')('keeps the locks of this process on the database', async () => {
  const file = makePairs()
  const db = new DatabaseSync(file)
  db.exec('select * from given')
  /** Of another disk may be a file with the same number. */
  const hasLock = () => {
    const { dev, ino } = statSync(file)
    const place = `${hex(dev >> 8)}:${hex((dev & 0xff) | ((dev >> 12) & 0xfff00))}:${ino}`
    return readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .some((line) => line.includes(` ${process.pid} ${place} `))
  }
  expect(hasLock()).toBe(true)
  const copy = await copyOf(file)
  copy.close()
  expect(hasLock()).toBe(true)
  db.close()
  expect(hasLock()).toBe(false)
})
