import { isAscii } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import type { Inventory } from '../contract/cluster-report.ts'
import { ReltError } from '../errors.ts'
import { objects } from '../reports/formats/values.ts'
import { unreadable } from '../util/file-error.ts'
import { JsonReader, parseJson } from '../util/json.ts'
import { readRelease } from './helm-release.ts'
import { InventoryBuilder } from './inventory-builder.ts'
import { takeObject } from './inventory-sources.ts'

const maxBytes = 512 * 1024 * 1024

/**
 * Reads a saved inventory, or a saved `kubectl get … -o json`. Throws `usage`, `too_large`, `invalid_json` or
 * `invalid_param`.
 */
export function readInventoryFile(file: string): Inventory {
  const bytes = readFile(file)
  if (isList(bytes, file)) return readObjects(bytes, file)
  const saved = parseJson(bytes, file) as Record<string, unknown>
  const known = [...always, ...maybe.filter((name) => Array.isArray(saved[name]))]
  const gaps = (Array.isArray(saved.gaps) ? saved.gaps : []).filter((gap) => typeof gap === 'string')
  return {
    ...Object.fromEntries(known.map((name) => [name, objects(saved[name])])),
    ...(gaps.length > 0 && { gaps }),
  }
}

const always = ['images', 'helmCharts', 'apps', 'owners'] as const
/** Lists that are absent if they could not be read. */
const maybe = ['ownerLabels', 'nodes', 'wanted', 'apis', 'unread'] as const

function isList(bytes: Uint8Array, file: string) {
  const reader = new JsonReader(bytes, file)
  if (!reader.isObject()) reader.skip()
  else {
    for (const key of reader.members()) {
      if (key === 'items') return true
      if (key === 'images') return false
      reader.skip()
    }
  }
  throw new ReltError('invalid_param', `${file} is not an inventory: it has neither "images" nor "items".`, {
    hint: 'Create one: relt scan inventory --out FILE',
  })
}

function readObjects(bytes: Uint8Array, file: string): Inventory {
  const builder = new InventoryBuilder()
  for (const item of readList(bytes, file)) {
    const release = readRelease(item)
    if (release) builder.addRelease(release)
    else if (!takeObject(item, builder)) builder.add(item)
  }
  return builder.finish()
}

/** Yields the objects of a list from `kubectl get -o json`. Throws `invalid_json`. */
function* readList(bytes: Uint8Array, what: string): Generator<unknown, void> {
  const reader = new JsonReader(bytes, what)
  for (const key of reader.members()) {
    if (key !== 'items' || !reader.isArray()) {
      reader.skip()
      continue
    }
    for (const _ of reader.elements()) {
      // Allows any keys, such as a label `constructor`: keys are only read by fixed names.
      const item = reader.skip()
      yield parse(item, what)
    }
  }
  reader.end()
}

function parse(item: Uint8Array, what: string): unknown {
  try {
    const text = Buffer.from(item.buffer, item.byteOffset, item.length)
    return JSON.parse(text.toString(isAscii(item) ? 'latin1' : 'utf8'))
  } catch (cause) {
    throw new ReltError('invalid_json', `${what} is not valid JSON.`, { cause })
  }
}

function readFile(file: string): Buffer {
  try {
    if (statSync(file).size > maxBytes) {
      throw new ReltError('too_large', `${file} is larger than ${maxBytes / 1024 / 1024} MB.`)
    }
    return readFileSync(file)
  } catch (error) {
    if (error instanceof ReltError) throw error
    throw unreadable(file, error, 'Create one: relt scan inventory --out FILE')
  }
}
