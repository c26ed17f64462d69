import type { FindingSeverity } from '../contract/scan-finding.ts'
import { andMore, number } from '../util/words.ts'

/** The meaning of a text, drawn as a color. Only views choose it; each renderer draws each in one way. */
export type Tone = 'good' | 'bad' | 'warn' | 'soft' | 'strong' | FindingSeverity

/** What a text can reveal. Redaction shows `safe` texts, and others unless their kind is to be hidden. */
export type Reveals =
  | 'safe'
  | 'cluster'
  | 'environment'
  | 'namespace'
  | 'resource'
  | 'artifact'
  | 'version'
  | 'check'
  | 'person'
  | 'policy'
  /** A file of exceptions, or one exception and its author. */
  | 'exception'
  | 'id'
  | 'fingerprint'
  /** Free text, which may contain any name. */
  | 'text'

/** What a text refers to: pages link to it, terminals may. */
export type LinkTarget =
  | { page: 'cluster'; cluster_id: string }
  | { page: 'run'; run_id: string }
  | { page: 'finding'; fingerprint: string; run_id?: string | undefined }
  | { page: 'findings'; cluster_name: string; environment: string }
  | { page: 'check'; check_id: string }
  | { page: 'impact'; id: string }
  | { page: 'project'; product_id: number }
  | { page: 'exception'; exception_id: string }
  | { page: 'artifact'; artifact_key: string; run_id?: string | undefined }
  | { url: string }

export interface Piece {
  text: string
  reveals: Reveals
  tone?: Tone | undefined
  link?: LinkTarget | undefined
  /** A hint in relt's words, for media with tooltips. */
  hint?: string
  /** Kind of content: a timestamp or day, code, a command to run, or a word that does not wrap. */
  as?: 'time' | 'day' | 'code' | 'command' | 'word' | undefined
}

/** A text in pieces, each with what it can reveal. */
export type Said = Piece[]

type Value = Piece | Said | string | number | null | undefined | false

/**
 * A template for a sentence with values. Its own words and numbers are safe; a plain string counts as foreign, and is hidden
 * unless marked otherwise.
 */
export function say(words: TemplateStringsArray, ...values: Value[]): Said {
  return words.flatMap((word, i) => [...(word === '' ? [] : [safe(word)]), ...saidOf(values[i])])
}

function saidOf(value: Value): Said {
  if (value === null || value === undefined || value === false || value === '') return []
  if (typeof value === 'number') return [safe(number(value))]
  if (typeof value === 'string') return [{ text: value, reveals: 'text' }]
  return Array.isArray(value) ? value : [value]
}

/** Words of relt or of a documented vocabulary, never a user's name. */
export const safe = (text: string, tone?: Tone): Piece => ({ text, reveals: 'safe', ...(tone && { tone }) })

/** Placeholder for an unknown value, which is never green. */
export const unknownMark: Said = [safe('n/a', 'warn')]

/** A foreign text that contains names. */
export const named = (reveals: Reveals, text: string, more: Pick<Piece, 'tone' | 'link' | 'as'> = {}) => ({
  text,
  reveals,
  ...more,
})

/** Sets another tone. */
export const toned = (tone: Tone | undefined, said: Said) =>
  tone === undefined ? said : said.map((piece) => ({ ...piece, tone: piece.tone ?? tone }))

/** Joins several texts with a separator. */
export function joined(all: Said[], between: string): Said {
  return all.flatMap((said, i) => (i === 0 ? said : [safe(between), ...said]))
}

/** The first of several texts, and the number of others: `a, b and 3 more`. */
export function firstOf(all: readonly Said[], most: number, total = all.length): Said {
  const shown = all.slice(0, most)
  const rest = total - shown.length
  return [...joined(shown, ', '), ...(rest > 0 ? [safe(` ${andMore(rest)}`)] : [])]
}

export const plainText = (said: Said) => said.map(({ text }) => text).join('')

/** Joins the limitations of a verdict as sentences. */
export const sentences = (gaps: readonly Said[]): Said[] => gaps.map((gap) => say`${gap}.`)
