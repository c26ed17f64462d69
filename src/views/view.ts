import type { GateVerdict } from '../contract/gate-verdict.ts'
import type { LinkTarget, Reveals, Said, Tone } from './said.ts'

/** The first thing that is said of an answer. Green only where everything that it needs is known. */
export interface ViewVerdict {
  /** `stated`: nothing of it is good or bad. */
  state: GateVerdict | 'stated'
  words: Said
  /** What qualifies it, a sentence each; a verdict with gaps is never `passed`. */
  gaps: Said[]
  /** Further facts, a sentence each. */
  more?: Said[]
}

/** A number with its name. */
export interface Figure {
  key: string
  title: string
  value: Said
  /** For programs. */
  data?: number | string | null
  tone?: Tone | undefined
  /** What the number rests on, or how it changed. */
  more?: Said
}

/** One thing that is known of something, in one line or several. */
export interface Detail {
  /** Of one that a medium draws more beside. */
  key?: string
  title: string
  lines: Said[]
}

/** A column of a table, the same in every medium. A medium chooses columns, and their order. */
export interface ViewColumn<Row> {
  /** Names the column in CSV and in `--columns`. */
  key: string
  title: string
  /** The cell in words; null where there is nothing to say. */
  text: (row: Row) => string | null
  /** The cell where there is little room. */
  brief?: (row: Row) => string | null
  /** The cell in pieces, where one tone and one link are not enough. Its text is that of `text`. */
  said?: (row: Row) => Said
  /** The cell for programs, where it is not `text`. */
  data?: (row: Row) => string | number | boolean | null
  /** `time`: a time of the wire, which terminals tell as an age. */
  as?: 'time'
  tone?: (row: Row) => Tone | undefined
  link?: (row: Row) => LinkTarget | undefined
  /** What the cell can give away. */
  reveals: Reveals
  width?: ColumnWidth
}

/** How a column behaves where there is little room. */
interface ColumnWidth {
  align?: 'right'
  /** It may lose width down to this; the others keep theirs. */
  min?: number
  /** A long cell is cut instead of wrapped. */
  cut?: boolean
  /** Left out where the medium is narrower, in letters. */
  from?: number
}

export interface Table<Row> {
  key: string
  /** What the rows are, and their order. */
  title: string
  columns: ViewColumn<Row>[]
  rows: Row[]
  /** In place of a table without rows. */
  empty?: Said
}

export interface Note {
  tone?: Tone
  /** Why the answer is no all-clear. */
  isDoubt?: true
  said: Said
}

export const doubt = (said: Said): Note => ({ tone: 'warn', isDoubt: true, said })

export const doubtsIn = (notes: readonly Note[]): Said[] =>
  notes.flatMap(({ isDoubt, said }) => (isDoubt ? [said] : []))
