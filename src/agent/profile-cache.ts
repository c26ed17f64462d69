import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../client/client.ts'
import { dataFolder, type Env } from '../config/env.ts'
import { writePrivateFile } from '../config/private-file.ts'
import { currentSpoolKey, findSpoolKey } from '../config/spool-key.ts'
import type { Profile } from '../profiles/index.ts'
import { isUnavailable } from '../spool/send.ts'
import { findProfile } from '../submit/find-profile.ts'
import { readOwnFile } from '../util/own-file.ts'
import { seal, unseal } from '../util/seal.ts'
import type { PerformContext } from './perform.ts'

/**
 * A profile of the server with this URL. While the server is unavailable, uses its last known profile: a scan must not
 * depend on the server that stores it. The copy is sealed like uploads in the spool.
 */
export async function findServerProfile(
  idOrName: string,
  { env, client, url, onWarning }: Pick<PerformContext, 'env' | 'onWarning'> & { client: Client; url: string },
): Promise<Profile> {
  const identity = JSON.stringify([url, idOrName])
  const name = hash('sha256', identity).slice(0, 32)
  const file = join(dataFolder(env), 'agent', `${name}.profile`)
  try {
    const profile = await findProfile(client, idOrName)
    const text = JSON.stringify(profile)
    if (readCopy(file, identity, env) !== text) {
      const { id, key } = currentSpoolKey(env)
      writePrivateFile(
        file,
        JSON.stringify({ key: id, sealed: seal(key, identity, Buffer.from(text)).toString('base64') }),
      )
    }
    return profile
  } catch (error) {
    const copy = isUnavailable(error) ? readCopy(file, identity, env) : undefined
    if (copy === undefined) throw error
    onWarning(`${(error as Error).message} The last known profile ${idOrName} is used.`)
    return JSON.parse(copy)
  }
}

function readCopy(file: string, identity: string, env: Env) {
  if (!existsSync(file)) return undefined
  try {
    const { key, sealed } = JSON.parse(readOwnFile(file).toString('utf8')) as { key: string; sealed: string }
    return unseal(findSpoolKey(env, key), identity, Buffer.from(sealed, 'base64')).toString('utf8')
  } catch {
    // Its key was replaced, or the file is corrupt: it is written again when the server answers.
    return undefined
  }
}
