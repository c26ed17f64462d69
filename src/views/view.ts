import type { GateVerdict } from '../contract/gate-verdict.ts'
import { number } from '../util/words.ts'
import type { LinkTarget, Reveals, Said, Tone } from './said.ts'
import { titles } from './titles.ts'

/** The headline of an answer. Green only if all data that it needs is known. */
export interface ViewVerdict {
  /** `stated`: a statement without a rating. */
  state: GateVerdict | 'stated'
  words: Said
  /** Limitations of the verdict, one sentence each; a verdict with gaps is never `passed`. */
  gaps: Said[]
  /** Additional facts, one sentence each. */
  more?: Said[]
}

/** A number with its name. */
export interface Figure {
  key: string
  title: string
  value: Said
  /** Raw value for programs. */
  data?: number | string | null
  tone?: Tone | undefined
  /** What the number is based on, or how it changed. */
  more?: Said
}

/** One fact, in one or several lines. */
export interface Detail {
  /** Identifies a detail for which a medium draws something extra. */
  key?: string
  title: string
  lines: Said[]
}

export const detail = (title: string, ...lines: Said[]) => ({ title, lines })

/** A column of a table, the same in every medium. A medium chooses columns and their order. */
export interface ViewColumn<Row> {
  /** Names the column in CSV and in `--columns`. */
  key: string
  title: string
  /** The cell as text; null if empty. */
  text: (row: Row) => string | null
  /** Shorter text for narrow tables. */
  brief?: (row: Row) => string | null
  /** The cell in pieces, if it needs several tones or links. Has the same text as `text`. */
  said?: (row: Row) => Said
  /** The value for programs, if not `text`. */
  data?: (row: Row) => string | number | boolean | null
  /** `time`: a timestamp, which terminals show as an age. */
  as?: 'time'
  tone?: (row: Row) => Tone | undefined
  link?: (row: Row) => LinkTarget | undefined
  /** What the cell can reveal. */
  reveals: Reveals
  align?: 'right'
  /** Minimum width to which it may shrink; others keep theirs. */
  min?: number
  /** A long cell is truncated instead of wrapped; `path`: its first parts are dropped. */
  cut?: boolean | 'path'
  /** Hidden if the medium has fewer columns of text. */
  from?: number
}

/** A column whose key has a title that all answers share, or with a title of its own. */
type Declared<Row, Key> = Omit<ViewColumn<Row>, 'key' | 'title'> &
  (Key extends keyof typeof titles ? { title?: string } : { title: string })

/** Columns by their keys: `columnsOf<Row>()({ cluster: { text, reveals } })`. */
export const columnsOf =
  <Row>() =>
  <Key extends string>(declared: { [K in Key]: Declared<Row, K> }) => {
    const columns = Object.entries(declared) as [keyof typeof titles, Declared<Row, Key>][]
    return Object.fromEntries(
      columns.map(([key, { title = titles[key], ...column }]) => [key, { key, title, ...column }]),
    ) as Record<Key, ViewColumn<Row>>
  }

/** The columns that a medium shows, in its order. */
export const chosen = <Key extends string, Row>(columns: Record<Key, ViewColumn<Row>>, ...keys: Key[]) =>
  keys.map((key) => columns[key])

/** A number of each row: with thousands separators for users, plain for programs. `tone`: of a number above zero. */
export const counted = <Row>(
  of: (row: Row) => number | null | undefined,
  { tone, ...layout }: Pick<ViewColumn<Row>, 'from'> & { tone?: Tone } = {},
) => ({
  text: (row: Row) => optional(of(row), number),
  data: (row: Row) => of(row) ?? null,
  ...(tone && { tone: (row: Row) => ((of(row) ?? 0) > 0 ? tone : undefined) }),
  reveals: 'safe' as const,
  align: 'right' as const,
  ...layout,
})

/** The value in other words; null if there is none. */
export const optional = <T, R>(value: T | null | undefined, words: (value: T) => R) =>
  value == null ? null : words(value)

/** A part of an answer, or the reason why it is missing: no part is left blank. */
export type Part<T> = { found: T; missing?: undefined } | MissingPart

export interface MissingPart {
  found?: undefined
  missing: string
  /** The reason is from a server, and may contain names. */
  isForeign?: boolean
}

/** For users; unlike an empty cell, it says that nothing is known. */
export const numberOrNone = (value: number | null | undefined) => optional(value, number) ?? 'n/a'

export interface Table<Row> {
  key: string
  /** Describes the rows and their order. */
  title: string
  columns: ViewColumn<Row>[]
  rows: Row[]
  /** Shown instead of an empty table. */
  empty?: Said
}

export interface Note {
  tone?: Tone
  /** The note says why the answer is no all-clear. */
  isDoubt?: true
  said: Said
}

export const noteIn = (tone: Tone, said: Said): Note => ({ tone, said })

export const doubt = (said: Said): Note => ({ tone: 'warn', isDoubt: true, said })

export const doubtsIn = (notes: readonly Note[]) => notes.flatMap(({ isDoubt, said }) => (isDoubt ? [said] : []))
