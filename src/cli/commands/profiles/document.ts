import { stringify } from 'yaml'
import type { ClusterConfigChange } from '../../../contract/cluster-config.ts'
import type { ReceivedClusterConfig } from '../../../contract/received/cluster-config.ts'
import { ReltError } from '../../../errors.ts'
import { isObject } from '../../../util/json.ts'
import { parseYaml as parseForeign } from '../../input/parse-yaml.ts'

const members = ['name', 'cluster_name', 'provider', 'notes', 'settings']
/** Additional fields in answers, which may be sent back unchanged. */
const ignored = ['config_id', 'created_at', 'updated_at', 'success']

/** The editable part of a profile, as YAML. */
export function writeDocument(profile: ReceivedClusterConfig) {
  const { name, cluster_name, provider, notes, settings } = profile
  const known = Object.entries({ name, cluster_name, provider, notes, settings }).filter(([, value]) => value !== null)
  return stringify(Object.fromEntries(known))
}

/**
 * Parses a profile from YAML or JSON, such as `profiles show --json` prints. Values stay as written: the service validates
 * them. Throws `invalid_param` for an invalid document or an unknown member.
 */
export function readDocument(text: string, what: string): ClusterConfigChange {
  const document = parseYaml(text, what)
  if (!isObject(document)) throw refuse(`${what} is not a profile: it has no members such as name and settings.`)
  const unknown = Object.keys(document).filter((key) => !members.includes(key) && !ignored.includes(key))
  if (unknown.length > 0) throw refuse(`${what} has unknown members: ${unknown.join(', ')}.`)
  return Object.fromEntries(Object.entries(document).filter(([key]) => members.includes(key)))
}

/** Parses the fields of a profile. */
export function parseYaml(text: string, what: string) {
  return parseForeign(text, what, hint)
}

function refuse(message: string) {
  return new ReltError('invalid_param', message, { hint })
}

const hint = 'See an example: relt profiles show ID'
