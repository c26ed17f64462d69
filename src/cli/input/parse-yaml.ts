import { parse } from 'yaml'
import { ReltError } from '../../errors.ts'
import { parseJson } from '../../util/json.ts'

const maxLength = 1_000_000

/** Parses foreign YAML within the limits for foreign JSON; accepts JSON values only. Throws `invalid_param`. */
export function parseYaml(text: string, what: string, hint = 'Check it with a YAML linter.'): unknown {
  if (text.length > maxLength) {
    throw new ReltError('invalid_param', `${what} is too long for YAML.`, { hint: 'Write it as JSON, or shorten it.' })
  }
  let value: unknown
  try {
    value = parse(text, { logLevel: 'error' })
  } catch (cause) {
    const message = `${what} is not valid YAML: ${(cause as Error).message.split('\n')[0]}`
    throw new ReltError('invalid_param', message, { hint, cause })
  }
  return parseJson(Buffer.from(JSON.stringify(value ?? null)), what)
}
