import { isObject } from '../util/json.ts'
import { getText, type Kubectl } from './kubectl.ts'
import { isNotFound } from './list-kind.ts'

export interface ApiGroup {
  /** The API server's preferred version. */
  version: string
  /** Plural names; undefined if the API server does not list them. */
  resources: Set<string> | undefined
}

/**
 * Looks up the cluster's version of a group. Every account may do so, which distinguishes a kind that is not installed from
 * one that may not be read. Returns undefined if the group is not installed. If the API server does not answer, returns the
 * given `version`.
 */
export async function findApiGroup(kubectl: Kubectl, group: string, version: string): Promise<ApiGroup | undefined> {
  const found = await readObject(kubectl, `/apis/${group}`)
  if (found === 'missing') return undefined
  const preferred = nameIn(isObject(found) ? found.preferredVersion : undefined, 'version') ?? version
  const listed = await readObject(kubectl, `/apis/${group}/${preferred}`)
  return { version: preferred, resources: namesIn(listed, 'resources') }
}

/** Names of all groups; undefined if the API server does not answer. */
export async function listGroups(kubectl: Kubectl) {
  return namesIn(await readObject(kubectl, '/apis'), 'groups')
}

function namesIn(list: unknown, key: string) {
  const rows = isObject(list) && Array.isArray(list[key]) ? list[key] : undefined
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

/** A name that is safe as part of a path. */
function nameIn(value: unknown, key: string) {
  const name = isObject(value) ? value[key] : undefined
  return typeof name === 'string' && /^[a-z0-9.-]{1,253}$/.test(name) ? name : undefined
}
