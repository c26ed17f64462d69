/** Faults that a good report may get, each at one of its places. */
export interface Fault {
  /** Where: the keys, with `*` for the positions of lists. */
  path: string
  what: string
  report: string
}

const otherTypes: unknown[] = [null, true, 0, 7, '', 'x', [], {}, [[]], ['x'], { toString: '' }, [{ x: 1 }]]

/** `kinds`: the same member with another text, and the same below another name, counts once, with every other of the other types. */
export type FaultDepth = 'kinds' | 'all'

interface FaultSettings {
  isNamed: (path: string) => boolean
  depth: FaultDepth
}

/** Every fault of every place of a report: its member dropped, renamed, written in another case, of another type. */
export function* faultsFor(report: string, { isNamed, depth }: FaultSettings): Generator<Fault> {
  const seen = new Set<string>()
  let places = 0
  for (const place of placesIn(JSON.parse(report), isNamed)) {
    // The same value at the same place of another element has the same faults.
    const same =
      depth === 'all' ? `${place.path}\n${JSON.stringify(place.value)}` : `${place.kind}\n${toKind(place.value)}`
    if (seen.has(same)) continue
    seen.add(same)
    const first = places++ % 2
    const types = depth === 'all' ? otherTypes : otherTypes.filter((_, index) => index % 2 === first)
    const key = String(place.keys.at(-1))
    const made = (what: string, change: (parent: Record<string, unknown>) => void): Fault => {
      const document = JSON.parse(report)
      change(parentFor(document, place.keys))
      return { path: place.path, what, report: JSON.stringify(document) }
    }
    if (!place.isElement) {
      yield made('dropped', (parent) => delete parent[key])
      yield made('renamed', (parent) => rename(parent, key, `${key}s_`))
      yield made('in another case', (parent) => rename(parent, key, otherCase(key)))
    }
    for (const value of [...types.filter((each) => typeOf(each) !== place.type), ...contradictionsFor(place.value)]) {
      yield made(`as ${JSON.stringify(value)}`, (parent) => Object.assign(parent, { [key]: value }))
    }
    const { value } = place
    if (Array.isArray(value) && value.length > 0) {
      yield made('with each element twice', (parent) =>
        Object.assign(parent, { [key]: value.flatMap((each) => [each, each]) }),
      )
      yield made('moved beside it', (parent) =>
        Object.assign(parent, place.isElement ? {} : { [key]: [], [`${key}Moved`]: value }),
      )
    }
    if (isNode(value)) {
      yield {
        ...made('moved to the root', (parent) => emptyOf(parent, key)),
        ...movedToRoot(report, place.keys, value),
      }
    }
  }
}

/** A value of the same type that says something else: a count, a flag, or a word by which a scanner says that all is well. */
function contradictionsFor(value: unknown): unknown[] {
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [0, -1, 100, value + 5, String(value), 'many'].filter((each) => each !== value)
  return typeof value === 'string' ? ['PASS', 'passed', 'ok', 'none', 'skip', '0'].filter((each) => each !== value) : []
}

const isNode = (value: unknown): value is object => typeof value === 'object' && value !== null

function emptyOf(parent: Record<string, unknown>, key: string): void {
  parent[key] = Array.isArray(parent[key]) ? [] : {}
}

function movedToRoot(report: string, keys: (string | number)[], value: object): Pick<Fault, 'report'> {
  const document = JSON.parse(report)
  emptyOf(parentFor(document, keys), String(keys.at(-1)))
  return { report: JSON.stringify(Array.isArray(document) ? document : { ...document, Moved: value }) }
}

interface PlaceInReport {
  keys: (string | number)[]
  path: string
  /** Its path without names. */
  kind: string
  isElement: boolean
  type: string
  value: unknown
}

/** `isNamed`: the member of an object that is keyed by ids, so that it is there or not. */
function* placesIn(
  node: unknown,
  isNamed: (path: string) => boolean,
  { keys, path, kind }: Pick<PlaceInReport, 'keys' | 'path' | 'kind'> = { keys: [], path: '', kind: '' },
): Generator<PlaceInReport> {
  if (typeof node !== 'object' || node === null) return
  const isList = Array.isArray(node)
  for (const [key, value] of Object.entries(node)) {
    const own = `${path}${path && '.'}${isList ? '*' : key}`
    const isElement = isList || isNamed(own)
    const place = { keys: [...keys, key], path: own, kind: `${kind}.${isElement ? '*' : key}` }
    yield { ...place, isElement, type: typeOf(value), value }
    yield* placesIn(value, isNamed, place)
  }
}

/** Of an object or a list, another one that holds something else is another type. */
const typeOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(Object.keys(value)) : typeof value

/** Texts that may be words of a vocabulary are kinds of their own. */
function toKind(value: unknown): string {
  if (typeof value === 'number') return value === 0 ? 'zero' : 'number'
  if (typeof value === 'string') return /^[a-z]{0,20}$/i.test(value) ? `word ${value}` : 'text'
  return typeof value === 'object' && value !== null ? typeOf(value).replace(/\d+/g, '*') : String(value)
}

function parentFor(document: unknown, keys: (string | number)[]): Record<string, unknown> {
  return keys.slice(0, -1).reduce((node, key) => (node as Record<string, unknown>)[key]!, document) as never
}

function rename(parent: Record<string, unknown>, key: string, name: string): void {
  const members = Object.entries(parent)
  for (const [each] of members) delete parent[each]
  for (const [each, value] of members) parent[each === key ? name : each] = value
}

function otherCase(key: string): string {
  const first = key[0]!
  return (first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase()) + key.slice(1)
}
