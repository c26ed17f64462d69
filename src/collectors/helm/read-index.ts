import { isObject, JsonReader, trimJson } from '../../util/json.ts'
import { items, members, toBlock, type Value, wholeBlock } from './block.ts'
import type { ParseYaml } from './yaml.ts'

/** Accessor for the fields of a chart version: texts, lists and objects. */
export type Entry = (field: string) => unknown

/** Requested charts that exist, by name. */
export type Charts = Map<string, Entry[]>

/** Limits per chart and entry, because parsed entries take more memory than their text. */
const mostEntries = 20_000
const mostFields = 200

/** Parses an index as Helm writes it. Throws for other forms of YAML, also when reading entries. */
export function cutIndex(text: Buffer, names: ReadonlySet<string>, parse: ParseYaml) {
  const entries = fieldsOf(wholeBlock(text)).get('entries')
  if (!entries) throw new Error('it has no entries')
  const charts: Charts = new Map()
  const block = toBlock(entries)
  if (!block) {
    if (Object.keys(asObject(parseValue(entries, parse))).length > 0) throw new Error('its entries are no block')
    return charts
  }
  for (const [name, value] of members(block)) {
    if (!names.has(name)) continue
    if (charts.has(name)) throw new Error('it has a chart twice')
    const list = toBlock(value)
    charts.set(name, list ? cutEntries(list, parse) : listIn(parseValue(value, parse)))
  }
  return charts
}

/** Parses any form of YAML, if small. */
export function parseIndex(text: Buffer, names: ReadonlySet<string>, parse: ParseYaml) {
  const { entries } = asObject(parse(text.toString('utf8')))
  const charts: Charts = new Map()
  for (const [name, list] of Object.entries(asObject(entries))) {
    if (names.has(name)) charts.set(name, listIn(list))
  }
  return charts
}

export function isJson(text: Buffer) {
  return trimJson(text)[0] === 0x7b
}

export function parseJsonIndex(text: Buffer, names: ReadonlySet<string>) {
  const charts: Charts = new Map()
  const index = new JsonReader(text, 'The index')
  for (const key of index.members()) {
    if (key !== 'entries') index.skip()
    else {
      for (const name of index.members()) {
        if (names.has(name)) charts.set(name, listIn(index.value()))
        else index.skip()
      }
    }
  }
  index.end()
  return charts
}

function cutEntries(list: Value, parse: ParseYaml) {
  const entries: Entry[] = []
  for (const item of items(list)) {
    if (entries.length === mostEntries) throw new Error('it has a chart with too many versions')
    entries.push(cutEntry(item, parse))
  }
  return entries
}

function cutEntry(block: Value, parse: ParseYaml): Entry {
  const fields = fieldsOf(block)
  return (field) => {
    const value = fields.get(field)
    return value && parseValue(value, parse)
  }
}

function fieldsOf(block: Value) {
  const fields = new Map<string, Value>()
  for (const [field, value] of members(block)) {
    if (fields.has(field)) throw new Error('it has a field twice')
    if (fields.size === mostFields) throw new Error('it has an entry with too many fields')
    fields.set(field, value)
  }
  return fields
}

const plainText = /^[ \t]+(?:"([^"\\\r\n]*)"|'([^'\r\n]*)'|([a-z0-9](?:[\w.+/:~@-]*[\w/+])?))\s*$/i

/** Parsed below a key at the same column, because block scalars count indentation from it. */
function parseValue({ text, start, end, indent }: Value, parse: ParseYaml) {
  const written = text.toString('utf8', start, end)
  const [, double, single, plain] = plainText.exec(written) ?? []
  const simple = double ?? single ?? plain
  return simple ?? asObject(parse(`${' '.repeat(indent)}k:${written}`)).k
}

function listIn(value: unknown): Entry[] {
  return Array.isArray(value)
    ? value.filter(isObject).map((entry) => (field) => (Object.hasOwn(entry, field) ? entry[field] : undefined))
    : []
}

function asObject(value: unknown) {
  if (!isObject(value)) throw new Error('it is no index')
  return value
}
