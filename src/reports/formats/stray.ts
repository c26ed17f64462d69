import { isObject } from '../../util/json.ts'

type Values = Record<string, unknown>

const maxLooked = 20

/**
 * The name of a member that no version of the scanner has, and that holds rows of findings: two fields of such rows, in any
 * case. What is in it would otherwise be lost without a word.
 */
export function strayRows(values: Values, known: ReadonlySet<string>, fields: readonly string[]): string | undefined {
  const names = new Set(fields.map((field) => field.toLowerCase()))
  const isRow = (row: unknown): boolean => {
    if (!isObject(row)) return false
    return Object.keys(row).filter((key) => names.has(key.toLowerCase())).length >= 2
  }
  return Object.keys(values).find((key) => {
    const value = values[key]
    if (known.has(key) || typeof value !== 'object' || value === null) return false
    return isRow(value) || Object.values(value).slice(0, maxLooked).some(isRow)
  })
}
