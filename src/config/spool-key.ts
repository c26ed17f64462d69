import { randomBytes } from 'node:crypto'
import { linkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ReltError } from '../errors.ts'
import { readOwnFile } from '../util/own-file.ts'
import { keyLength, toKeyId } from '../util/seal.ts'
import { dataFolder, type Env } from './env.ts'
import { writePrivateFile } from './private-file.ts'
import { masterKeyOfEnv, previousKeyOfEnv } from './secrets.ts'

/** The key for sealing uploads: `RELT_MASTER_KEY`, else one in a private file. */
export function currentSpoolKey(env: Env) {
  const key = masterKeyOfEnv(env) ?? readKeyFile(env) ?? makeKeyFile(env)
  return { key, id: toKeyId(key) }
}

/** The key that sealed an upload. Throws `key_unavailable` if it is in neither location. */
export function findSpoolKey(env: Env, id: string): Buffer {
  const key = [masterKeyOfEnv(env), previousKeyOfEnv(env), readKeyFile(env)].find(
    (each) => each && toKeyId(each) === id,
  )
  if (key) return key
  throw new ReltError('key_unavailable', 'The key that sealed this upload is not there.', {
    hint: `Set RELT_MASTER_KEY as it was then, or put ${fileFor(env)} back; the upload stays where it is.`,
  })
}

const fileFor = (env: Env) => join(dataFolder(env), 'spool.key')

function readKeyFile(env: Env): Buffer | undefined {
  const file = fileFor(env)
  try {
    const key = Buffer.from(readOwnFile(file).toString('utf8').trim(), 'hex')
    if (key.length === keyLength) return key
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ReltError('key_unavailable', `${file} cannot be read: ${(cause as Error).message}.`, { cause })
  }
  throw new ReltError('key_unavailable', `${file} holds no key.`, {
    hint: 'Put the key back, or remove the file: what it sealed is then lost.',
  })
}

/** Two processes that create one at the same time end up with the same key: a link can be created only once. */
function makeKeyFile(env: Env): Buffer {
  const file = fileFor(env)
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writePrivateFile(draft, `${randomBytes(keyLength).toString('hex')}\n`)
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readKeyFile(env)!
}
