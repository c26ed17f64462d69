import { isObject } from '../util/json.ts'

/** A string in a foreign report, trimmed; undefined for an empty string and for other types. */
export function string(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed
}

/** A truncated string, long enough for names. */
export const short = (value: unknown): string | undefined => string(value)?.slice(0, 1024)

/** Items of a list, or of a comma-separated text. */
export function strings(value: unknown): string[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  return list.flatMap((entry) => string(entry) ?? [])
}

/** The objects in a list. PowerShell writes a list of one item as the item itself. */
export function objectsIn(value: unknown): Record<string, unknown>[] {
  return (Array.isArray(value) ? value : [value]).filter(isObject)
}
