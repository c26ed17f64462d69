import { join } from 'node:path'
import { ReltError } from '../errors.ts'
import { isObject } from '../util/json.ts'
import { readOwnFile } from '../util/own-file.ts'
import { withoutStop } from '../util/words.ts'
import { configFolder, type Env } from './env.ts'
import { writePrivateFile } from './private-file.ts'
import { readServerUrl } from './server-url.ts'
import { type ConfigSettings, readServerName, serverSettings, settings } from './settings.ts'

export type SecretPlace = 'keychain' | 'file'

/** A server after sign-in. */
export interface KnownServer {
  url: string
  username: string
  /** Location of its secret, which is never in this file. */
  secret: SecretPlace
  /** UUID of the API key, if known. */
  key_uuid?: string
  insecure_http?: boolean
  ca_file?: string
}

/** Variables, hosts and contexts that profiles of a server may use in a scan. */
export interface ScanAccess {
  /** Names of environment variables. */
  env: string[]
  hosts: string[]
  contexts?: string[]
}

export interface Config {
  settings: ConfigSettings
  servers: Map<string, KnownServer>
  /** Server URL → what its profiles may use in a scan. */
  scanAccess: Map<string, ScanAccess>
}

export function configFile(env: Env) {
  return join(configFolder(env), 'config.json')
}

/** The parsed file; empty if there is none, or no home folder to have one in. Throws `usage` with the problem. */
export function readConfig(env: Env): Config {
  const file = findConfigFile(env) ?? ''
  const value = readJson(file)
  if (value === undefined) return { settings: {}, servers: new Map(), scanAccess: new Map() }
  if (!isObject(value)) throw broken(file, 'it holds no object')
  const { servers = {}, scan_access = {}, ...rest } = value
  if (!isObject(servers)) throw broken(file, 'servers: an object is needed')
  if (!isObject(scan_access)) throw broken(file, 'scan_access: an object is needed')
  return {
    settings: readMembers(rest, settings, (name, why) => broken(file, `${name}: ${why}`)) as ConfigSettings,
    servers: new Map(Object.entries(servers).map(([name, server]) => [name, readServer(file, name, server)])),
    scanAccess: new Map(Object.entries(scan_access).map(([url, access]) => [url, readScanAccess(file, url, access)])),
  }
}

function findConfigFile(env: Env) {
  try {
    return configFile(env)
  } catch {
    return undefined
  }
}

export function writeConfig(env: Env, { settings, servers, scanAccess }: Config) {
  const value = {
    ...settings,
    ...(servers.size > 0 && { servers: Object.fromEntries(servers) }),
    ...(scanAccess.size > 0 && { scan_access: Object.fromEntries(scanAccess) }),
  }
  writePrivateFile(configFile(env), `${JSON.stringify(value, null, 2)}\n`)
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readOwnFile(file).toString('utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw broken(file, (error as Error).message)
  }
}

function readServer(file: string, name: string, value: unknown): KnownServer {
  const refuse = (why: string) => broken(file, `servers.${name}: ${why}`)
  if (!isObject(value)) throw refuse('an object is needed')
  const { url, username, secret, key_uuid, ...rest } = value
  try {
    readServerName(name)
  } catch (error) {
    throw refuse((error as Error).message)
  }
  if (typeof url !== 'string' || typeof username !== 'string') throw refuse('url and username are needed')
  if (secret !== 'keychain' && secret !== 'file') throw refuse('secret: one of keychain, file')
  if (key_uuid !== undefined && typeof key_uuid !== 'string') throw refuse('key_uuid: a text is needed')
  const more = readMembers(rest, serverSettings, (key, why) => refuse(`${key}: ${why}`)) as Partial<KnownServer>
  try {
    readServerUrl(url, { insecureHttp: true })
  } catch (error) {
    throw refuse((error as Error).message)
  }
  return { url, username, secret, ...(key_uuid !== undefined && { key_uuid }), ...more }
}

function readScanAccess(file: string, url: string, value: unknown): ScanAccess {
  const { env, hosts, contexts = [] } = isObject(value) ? value : {}
  if (isTexts(env) && isTexts(hosts) && isTexts(contexts)) return { env, hosts, contexts }
  throw broken(file, `scan_access.${url}: env and hosts are needed, lists of texts`)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function readMembers(
  value: object,
  known: Record<string, { parse: (text: string) => unknown }>,
  refuse: (name: string, why: string) => ReltError,
) {
  const members = Object.entries(value).map(([name, given]) => {
    if (!Object.hasOwn(known, name)) throw refuse(name, `is not known; known are ${Object.keys(known).join(', ')}`)
    try {
      return [name, known[name]!.parse(String(given))]
    } catch (error) {
      throw refuse(name, `${(error as Error).message} is needed`)
    }
  })
  return Object.fromEntries(members)
}

function broken(file: string, why: string) {
  return new ReltError('usage', `${file} cannot be used: ${withoutStop(why)}.`, {
    hint: 'Correct the file, or remove it.',
  })
}
