import { ReltError } from '../../../errors.ts'

/** Reads `name=value`, with the value as text. */
export function readField(text: string): [string, string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name !== undefined && value !== undefined) return [name, value]
  throw new ReltError('usage', `"${text}" is not a field.`, { hint: 'Use name=value.' })
}

/** Reads `name=value`, with the value as JSON if it looks like JSON, else as text. */
export function readTypedField(text: string): [string, unknown] {
  const [name, value] = readField(text)
  if (!/^(true|false|null|-?\d+(\.\d+)?|[[{].*)$/s.test(value)) return [name, value]
  try {
    return [name, JSON.parse(value)]
  } catch {
    throw new ReltError('usage', `The value of ${name} is not valid JSON.`, { hint: 'Use -f for plain text.' })
  }
}
