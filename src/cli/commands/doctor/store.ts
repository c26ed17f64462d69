import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { placeOfStore, requireStoreAt } from '../../../config/store-place.ts'
import type { Context } from '../../../context.ts'
import { count } from '../../../util/words.ts'
import { type DoctorCheck, failed, type Line } from './line.ts'

const littleSpace = 500e6
/** Largest store that is checked, which takes a few uninterruptible seconds. */
const maxChecked = 2e9

export const checkFolder: DoctorCheck = ({ context, flags }) => {
  const check = 'data folder'
  const { folder } = placeOfStore(context.env, flags.data)
  const there = nearest(folder)
  accessSync(there, constants.W_OK | constants.X_OK)
  const { bavail, bsize } = statfsSync(there)
  const free = `${inMb(bavail * bsize)} free`
  if (there !== folder) return [{ check, state: 'ok', found: `${folder} does not exist yet, ${free}` }]
  const found = `${folder}, store of ${inMb(sizeOfStore(folder))}, ${free}`
  if (process.platform !== 'win32' && statSync(folder).mode & 0o077) {
    const hint = `Restrict access: chmod 700 '${folder}'`
    return [{ check, state: 'warn', found: `${found}, readable by other users`, hint }]
  }
  if (bavail * bsize > littleSpace) return [{ check, state: 'ok', found }]
  return [{ check, state: 'warn', found, hint: 'Free some space, or set RELT_HOME to a folder on another disk.' }]
}

export const checkStore: DoctorCheck = async ({ context, flags: { data } }) => {
  const check = 'store'
  const { env, folder } = placeOfStore(context.env, data)
  const file = join(folder, 'relt.db')
  if (env.RELT_DATABASE_URL) return checkDatabase(await context.admin(data))
  requireStoreAt(context.env, data)
  if (!existsSync(file)) return [{ check, state: 'ok', found: 'none yet; created on first use' }]
  const admin = await context.admin(data)
  const key = await admin.findKeyPlace().then(describeKey, (error: unknown) => failed('master key', error))
  if (sizeOfStore(folder) > maxChecked) {
    // Other builds of SQLite misread valid stores.
    const hint = 'Check it: relt admin verify'
    return [{ check, state: 'warn', found: 'opens; too large to check here', hint }, key]
  }
  const problems = await admin.checkStore()
  if (problems.length === 0) {
    const sealed = key.state === 'ok' ? [await checkSeals(admin)] : []
    return [{ check, state: 'ok', found: 'opens, and all pages are intact' }, key, ...sealed]
  }
  const hint = 'Stop relt, keep a copy and restore a backup.'
  return [{ check, state: 'fail', found: `damaged: ${problems.join('; ')}`, hint }, key]
}

/** PostgreSQL checks its own pages. */
async function checkDatabase(admin: Awaited<ReturnType<Context['admin']>>): Promise<Line[]> {
  const found = `opens: ${await admin.findServer()}`
  const key = await admin.findKeyPlace().then(describeKey, (error: unknown) => failed('master key', error))
  const sealed = key.state === 'ok' ? [await checkSeals(admin)] : []
  return [{ check: 'store', state: 'ok', found }, key, ...sealed]
}

/** Pages can be valid while sealed data is not. */
async function checkSeals(admin: Awaited<ReturnType<Context['admin']>>): Promise<Line> {
  const { opened, total, damaged } = await (await admin.store()).checkSomeSeals()
  const check = 'sealed data'
  if (damaged.length > 0) {
    const hint = 'Run `relt admin verify` to list all damage, then restore a backup.'
    return { check, state: 'fail', found: damaged.slice(0, 3).join('; '), hint }
  }
  if (total === 0) return { check, state: 'ok', found: 'there is none yet' }
  if (opened === total) return { check, state: 'ok', found: `all encrypted data can be read (${count(total, 'part')})` }
  return {
    check,
    state: 'ok',
    found: `the newest ${opened} of ${total} encrypted parts can be read; \`relt admin verify\` checks all`,
  }
}

function describeKey(place: 'env' | 'command' | 'keychain' | 'file' | undefined): Line {
  const places = {
    env: 'in RELT_MASTER_KEY',
    command: 'from RELT_MASTER_KEY_COMMAND',
    keychain: 'in the keychain',
    file: 'in a file only you can read',
  }
  const found = place ? `${places[place]}, and it belongs to this store` : 'none yet; created by the first upload'
  return { check: 'master key', state: 'ok', found }
}

function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder))
}

function sizeOfStore(folder: string) {
  const files = ['relt.db', 'relt.db-wal'].map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
  return files.reduce((sum, file) => sum + (file?.size ?? 0), 0)
}

const inMb = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`
