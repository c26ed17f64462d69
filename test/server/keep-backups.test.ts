import { existsSync, mkdirSync, readdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type BackupSettings, readBackupSettings } from '../../src/config/backup.ts'
import { keepBackups } from '../../src/server/keep-backups.ts'
import { createLogger } from '../../src/util/log.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { minimalEnv, reltFile } from '../helpers/process.ts'
import { smallReports, uploadAll } from '../helpers/small-store.ts'

const env = {
  ...minimalEnv,
  RELT_SERVER: 'https://elsewhere.example',
  NODE_NO_WARNINGS: '1',
}

async function start(home: string, settings: Partial<BackupSettings>) {
  let log = ''
  const stderr = {
    write: (text: string) => {
      log += text
      return true
    },
  } as unknown as NodeJS.WritableStream
  const stop = keepBackups({
    settings: { ...readBackupSettings({ RELT_BACKUP_HOURS: '1' }, home), ...settings },
    env,
    data: home,
    logger: createLogger(stderr, 'info'),
    program: [process.execPath, reltFile],
  })
  return { stop, log: () => log }
}

test('a server backs up when no backup is there, or the latest is old enough', async () => {
  const home = temporaryFolder()
  await uploadAll(home, smallReports.slice(0, 1))
  const folder = join(home, 'backups')
  const first = await start(home, {})
  await expect.poll(() => first.log()).toContain('store backed up')
  await first.stop()
  const [name] = readdirSync(folder)
  expect(statSync(join(folder, name!)).mode & 0o777).toBe(0o600)
  expect(await runCli(['admin', 'verify', join(folder, name!)], { home })).toMatchObject({ code: 0 })

  const second = await start(home, {})
  await second.stop()
  expect(readdirSync(folder)).toEqual([name])

  const hourAgo = Date.now() / 1000 - 3601
  const old = join(folder, 'relt-20260101-000000.db')
  renameSync(join(folder, name!), old)
  utimesSync(old, hourAgo, hourAgo)
  const third = await start(home, { keep: 1 })
  await expect.poll(() => third.log()).toContain('store backed up')
  await third.stop()
  expect(readdirSync(folder)).toHaveLength(1)
  expect(existsSync(old)).toBe(false)
})

test('a server logs why there is no backup', async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'store'))
  writeFileSync(join(home, 'store', 'relt.db'), 'no database, but long enough to be looked at as one')
  const { stop, log } = await start(join(home, 'store'), {})
  await expect.poll(() => log()).toContain('backup failed')
  await stop()
  expect(existsSync(join(home, 'store', 'backups'))).toBe(true)
  expect(readdirSync(join(home, 'store', 'backups'))).toEqual([])
})

test('settings are checked at the start', () => {
  expect(readBackupSettings({}, '/data')).toEqual({ everyHours: null, folder: '/data/backups', keep: 7 })
  const set = { RELT_BACKUP_HOURS: ' 24 ', RELT_BACKUP_FOLDER: '/b', RELT_BACKUP_KEEP: '3' }
  expect(readBackupSettings(set, '/data')).toEqual({ everyHours: 24, folder: '/b', keep: 3 })
  for (const text of ['0', '-1', 'daily', '1.5', '9000']) {
    expect(() => readBackupSettings({ RELT_BACKUP_HOURS: text }, '/data')).toThrow('RELT_BACKUP_HOURS is not a number')
  }
})
