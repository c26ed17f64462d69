import type { FindingSeverity } from '../contract/scan-finding.ts'
import { number } from '../util/words.ts'

/** How something is to be taken. Only views decide it; each renderer has one way to draw each. */
export type Tone = 'good' | 'bad' | 'warn' | 'soft' | 'strong' | FindingSeverity

/** What a text can give away. Redaction shows what is `safe`, and of the others what was not asked to be hidden. */
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
  /** A file of exceptions, or one and its author. */
  | 'exception'
  | 'id'
  | 'fingerprint'
  /** A free text, which may hold any name. */
  | 'text'

/** What a text stands for: pages link to it, terminals may. */
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
  /** Words of relt about it, for media that can show them on demand. */
  hint?: string
  /** A time or a day of the wire, a word of a program, a command to run, or a word that is not broken. */
  as?: 'time' | 'day' | 'code' | 'command' | 'word' | undefined
}

/** A text in pieces, each with what it reveals. */
export type Said = Piece[]

type Value = Piece | Said | string | number | null | undefined | false

/**
 * A sentence of relt with values in it. Its own words are safe, as are numbers; a bare text is foreign, and is hidden until it is
 * marked as something else.
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

/** Words of relt or of a documented vocabulary, never a name of the user's. */
export const safe = (text: string, tone?: Tone): Piece => ({ text, reveals: 'safe', ...(tone && { tone }) })

/** In place of what is not known: nothing of it is good. */
export const unknownMark: Said = [safe('n/a', 'warn')]

/** A foreign text that names something. */
export const named = (reveals: Reveals, text: string, more: Pick<Piece, 'tone' | 'link' | 'as'> = {}): Piece => ({
  text,
  reveals,
  ...more,
})

/** In another tone. */
export const toned = (tone: Tone | undefined, said: Said): Said =>
  tone === undefined ? said : said.map((piece) => ({ ...piece, tone: piece.tone ?? tone }))

/** Several, with something between them. */
export function joined(all: Said[], between: string): Said {
  return all.flatMap((said, i) => (i === 0 ? said : [safe(between), ...said]))
}

export const plainText = (said: Said): string => said.map(({ text }) => text).join('')

/** What qualifies a verdict, a sentence each. */
export const sentences = (gaps: readonly Said[]): Said[] => gaps.map((gap) => say`${gap}.`)
