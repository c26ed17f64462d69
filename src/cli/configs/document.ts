import { parse, stringify } from 'yaml'
import type { ClusterConfigChange } from '../../contract/cluster-config.ts'
import type { ClusterConfig } from '../../contract/received/cluster-config.ts'
import { ReltError } from '../../errors.ts'
import { isObject, parseJson } from '../../util/json.ts'

const maxLength = 1_000_000
const members = ['name', 'cluster_name', 'provider', 'notes', 'settings']
/** What answers have besides: they can be given back as they are. */
const ignored = ['config_id', 'created_at', 'updated_at', 'success']

/** What of a profile can be changed, as YAML. */
export function writeDocument(profile: ClusterConfig): string {
  const { name, cluster_name, provider, notes, settings } = profile
  const known = Object.entries({ name, cluster_name, provider, notes, settings }).filter(([, value]) => value !== null)
  return stringify(Object.fromEntries(known))
}

/**
 * A profile from YAML or JSON, such as `configs show --json` prints. Its values are as they were written: the service
 * checks them. Throws `invalid_param` for what is no document of a profile, an unknown member included.
 */
export function readDocument(text: string, what: string): ClusterConfigChange {
  const document = parseYaml(text, what)
  if (!isObject(document)) throw refuse(`${what} is no profile: it has to have members such as name and settings.`)
  const unknown = Object.keys(document).filter((key) => !members.includes(key) && !ignored.includes(key))
  if (unknown.length > 0) throw refuse(`${what} has unknown members: ${unknown.join(', ')}.`)
  return Object.fromEntries(Object.entries(document).filter(([key]) => members.includes(key)))
}

/** Of foreign YAML what is JSON, too, within the bounds of foreign JSON. */
export function parseYaml(text: string, what: string): unknown {
  if (text.length > maxLength) throw refuse(`${what} is too long for a profile.`)
  let value: unknown
  try {
    value = parse(text, { logLevel: 'error' })
  } catch (cause) {
    throw refuse(`${what} is no YAML: ${(cause as Error).message.split('\n')[0]}`, cause)
  }
  return parseJson(Buffer.from(JSON.stringify(value ?? null)), what)
}

function refuse(message: string, cause?: unknown): ReltError {
  return new ReltError('invalid_param', message, { hint: 'For an example: relt configs show ID', cause })
}
