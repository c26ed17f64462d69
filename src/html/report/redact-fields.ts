import type { Redactor } from '../../views/redaction.ts'
import type { Reveals } from '../../views/said.ts'

type Scalar = string | number | boolean | null | undefined

/** Decides by more than the value, for example by its neighbors. */
type Decide<V> = (value: NonNullable<V>, redactor: Redactor, of: Record<string, unknown>) => V

/** What a field can reveal. `never`: no report shows it, so redacted ones do not have it. */
type Mark<V> =
  | 'never'
  | Decide<V>
  | ([NonNullable<V>] extends [Scalar | readonly Scalar[]]
      ? Reveals
      : NonNullable<V> extends readonly (infer Each)[]
        ? Fields<Each>
        : Fields<NonNullable<V>>)

/** The mark for every field of an answer. A missing one is a type error, and the field is hidden. */
export type Fields<T> = { [Field in keyof T]-?: Mark<T[Field]> }

/** Fields with the same mark. */
const marked =
  <M extends Reveals | 'never'>(mark: M) =>
  <Field extends string>(...names: Field[]) =>
    Object.fromEntries(names.map((name) => [name, mark])) as Record<Field, M>

export const safe = marked('safe')
export const check = marked('check')
export const never = marked('never')

/** The object with only those values that may be shown. */
export function redactFields<T extends object>(value: T, fields: Fields<T>, redactor: Redactor): T {
  const marks = Object.entries(fields) as [string, Mark<unknown>][]
  const of = value as Record<string, unknown>
  return Object.fromEntries(
    marks.flatMap(([name, mark]) => (name in of ? [[name, redactValue(of[name], mark, redactor, of)]] : [])),
  ) as T
}

function redactValue(value: unknown, mark: Mark<unknown>, redactor: Redactor, of: Record<string, unknown>): unknown {
  if (value === null || value === undefined) return value
  if (mark === 'never') return Array.isArray(value) ? [] : null
  if (typeof mark === 'function') return mark(value, redactor, of)
  if (Array.isArray(value)) return value.map((each) => redactValue(each, mark, redactor, of))
  if (typeof mark === 'object') return typeof value === 'object' ? redactFields(value, mark, redactor) : null
  if (typeof value === 'object') return null
  if (typeof value !== 'string') return mark === 'safe' ? value : null
  return redactor.text(mark, value)
}
