import { stringify, type ToStringOptions } from 'yaml'
import type { Io } from './io.ts'
import { escapeSteering } from './json.ts'

/** YAML 1.1 parsers read the output like those for 1.2. */
const options = { aliasDuplicateObjects: false, compat: 'yaml-1.1', lineWidth: 0 } as const
const quoted: ToStringOptions = { defaultKeyType: 'QUOTE_DOUBLE', defaultStringType: 'QUOTE_DOUBLE' }

/** The contract's body as YAML, unchanged. */
export function renderYaml(io: Io, body: unknown) {
  const text = stringify(body, options)
  if (!io.isTerminal || escapeSteering(text) === text) return text
  return escapeSteering(stringify(body, { ...options, ...quoted }))
}
