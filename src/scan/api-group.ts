import { isObject } from '../util/json.ts'
import { getText, type Kubectl } from './kubectl.ts'
import { isNotFound } from './list-kind.ts'

export interface ApiGroup {
  /** The version that the API server prefers. */
  version: string
  /** Plural names; undefined when the API server does not say. */
  resources: Set<string> | undefined
}

/**
 * Asks which version of a group the cluster has. Every account may ask this, so that a kind that is not installed and one that may
 * not be read are told apart. Returns undefined when the group is not installed. When the API server does not say, `version` stands.
 */
export async function findApiGroup(kubectl: Kubectl, group: string, version: string): Promise<ApiGroup | undefined> {
  const found = await readObject(kubectl, `/apis/${group}`)
  if (found === 'missing') return undefined
  const preferred = nameIn(isObject(found) ? found.preferredVersion : undefined, 'version') ?? version
  const listed = await readObject(kubectl, `/apis/${group}/${preferred}`)
  const rows = isObject(listed) && Array.isArray(listed.resources) ? listed.resources : undefined
  return { version: preferred, resources: rows && new Set(rows.flatMap((row) => nameIn(row, 'name') ?? [])) }
}

/** Names of all groups; undefined when the API server does not say. */
export async function listGroups(kubectl: Kubectl): Promise<Set<string> | undefined> {
  const listed = await readObject(kubectl, '/apis')
  const rows = isObject(listed) && Array.isArray(listed.groups) ? listed.groups : undefined
  return rows && new Set(rows.flatMap((row) => nameIn(row, 'name') ?? []))
}

async function readObject(kubectl: Kubectl, path: string): Promise<unknown> {
  const answer = await getText(kubectl, path)
  if ('why' in answer) return isNotFound(answer.why) ? 'missing' : undefined
  try {
    return JSON.parse(answer.text)
  } catch {
    return undefined
  }
}

/** A part of a path, which must not lead elsewhere. */
function nameIn(value: unknown, key: string): string | undefined {
  const name = isObject(value) ? value[key] : undefined
  return typeof name === 'string' && /^[a-z0-9.-]{1,253}$/.test(name) ? name : undefined
}
