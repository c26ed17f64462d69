import { namesPlace } from '../reports/place-check.ts'
import type { Piece, Reveals } from './said.ts'
import type { ViewColumn } from './view.ts'

/** Kinds of text that a user can redact. */
export const redactions = ['names', 'namespaces', 'ids'] as const
export type Redaction = (typeof redactions)[number]

/**
 * Redactions that hide each kind of text. Fingerprints can be guessed from the names in them, and free texts may contain any
 * name.
 */
const hiddenBy: Record<Exclude<Reveals, 'safe'>, readonly Redaction[]> = {
  cluster: ['names'],
  environment: ['names'],
  resource: ['names'],
  artifact: ['names'],
  version: ['names'],
  person: ['names'],
  policy: ['names'],
  exception: ['names', 'ids'],
  namespace: ['namespaces'],
  check: ['names', 'namespaces'],
  text: ['names', 'namespaces'],
  id: ['ids'],
  fingerprint: redactions,
}

const leftOut = 'left out'

/**
 * Shows texts marked safe, and replaces others by numbered words; an instance always uses the same word for a name. Words
 * that it produced are not redacted again, so that data and cells made from it can both be redacted.
 */
export class Redactor {
  readonly kinds: readonly Redaction[]
  readonly #words = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  readonly #issued = new Set<string>([leftOut])
  readonly #namespaces: Set<string>

  /** `namespaces`: namespaces that other texts may contain. */
  constructor(kinds: readonly Redaction[], namespaces: readonly string[] = []) {
    this.kinds = kinds
    this.#namespaces = new Set(kinds.includes('namespaces') ? namespaces.map((each) => each.toLowerCase()) : [])
  }

  /** Whether all texts of this kind are hidden, whatever their content. */
  hides(reveals: Reveals) {
    return reveals !== 'safe' && hiddenBy[reveals].some((kind) => this.kinds.includes(kind))
  }

  /** `kind`: a more specific prefix for the word. */
  text(reveals: Reveals, text: string, kind: string = reveals) {
    if (reveals === 'safe' || this.kinds.length === 0 || this.#issued.has(text)) return text
    if (!this.hides(reveals)) return reveals === 'namespace' || reveals === 'id' ? text : this.#hideNamespaces(text)
    switch (reveals) {
      case 'cluster':
        return 'A cluster'
      case 'environment':
        return 'environment left out'
      case 'resource':
        return this.#resource(text)
      case 'version':
        return toVersion(text)
      case 'check':
        // Check names come from the scanner, but a check that did not run may be named after a resource.
        return namesPlace(text) ? this.word('check', text) : text
      case 'text':
        return leftOut
      case 'id':
      case 'fingerprint':
        return ''
      default:
        return this.word(kind, text)
    }
  }

  piece(piece: Piece) {
    const { link: _, ...shown } = piece
    const text = this.text(piece.reveals, piece.text)
    return text === piece.text ? piece : { ...shown, text }
  }

  /** Redacts the cells of all columns that are not marked safe. */
  columns<Row>(columns: ViewColumn<Row>[]): ViewColumn<Row>[] {
    if (this.kinds.length === 0) return columns
    return columns.map(({ brief, data, said, link: _, ...column }) => ({
      ...column,
      text: (row) => this.#cell(column.reveals, column.text(row)),
      ...(brief && { brief: (row) => this.#cell(column.reveals, brief(row)) }),
      ...(said && { said: (row) => said(row).map((piece) => this.piece(piece)) }),
      ...(data && { data: (row) => this.#cell(column.reveals, data(row)) }),
    }))
  }

  #cell<Value extends string | number | boolean | null>(reveals: Reveals, value: Value) {
    if (typeof value === 'string') return this.text(reveals, value)
    return this.hides(reveals) ? null : value
  }

  word(kind: string, text: string) {
    const key = `${kind}\n${text}`
    const known = this.#words.get(key)
    if (known) return known
    const number = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, number)
    const word = `${kind}-${number}`
    this.#words.set(key, word)
    this.#issued.add(word)
    return word
  }

  /** Ignores case, because names of pipelines and branches may use any. */
  hasNamespace(text: string) {
    const lower = text.toLowerCase()
    const isNamed = lower.split(/[^a-z0-9-]+/).some((part) => this.#namespaces.has(part))
    return isNamed || [...this.#namespaces].some((each) => each.length > 2 && lower.includes(each))
  }

  /** Hides a text completely if it contains a namespace. */
  #hideNamespaces(text: string) {
    return this.hasNamespace(text) ? this.word('name', text) : text
  }

  /** `deployment/cart` → `deployment/name-3`: the kind is not sensitive. */
  #resource(resource: string) {
    const [, kind] = /^([A-Za-z]{1,40})\/./.exec(resource) ?? []
    if (!kind || !plainKinds.has(kind.toLowerCase())) return this.word('name', resource)
    const shown = `${kind}/${this.word('name', resource)}`
    this.#issued.add(shown)
    return shown
  }
}

/** A tag can contain the name of a branch, team or customer: keeps only numbers and pre-release words. */
function toVersion(version: string) {
  const [whole = '', numbers] = /^(v?\d+(?:\.\d+)*)(?:[-.+]?(?:alpha|beta|rc)[-.]?\d*)?/i.exec(version) ?? []
  return whole === version ? version : numbers === undefined ? leftOut : `${numbers}-…`
}

/** Kinds that are not sensitive; a custom resource may be named after a company. */
const plainKinds = new Set(
  (
    'pod deployment statefulset daemonset replicaset job cronjob service ingress configmap secret serviceaccount role ' +
    'rolebinding clusterrole clusterrolebinding networkpolicy node namespace persistentvolume persistentvolumeclaim ' +
    'storageclass horizontalpodautoscaler poddisruptionbudget container image'
  ).split(' '),
)
