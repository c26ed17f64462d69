import { isAscii } from 'node:buffer'
import { ReltError } from '../errors.ts'
import { JsonReader } from '../util/json.ts'

/** Each object of a list as `kubectl get -o json` writes it, one after the other. Throws `invalid_json`. */
export function* readList(bytes: Uint8Array, what: string): Generator<unknown, void> {
  const reader = new JsonReader(bytes, what)
  for (const key of reader.members()) {
    if (key !== 'items' || !reader.isArray()) {
      reader.skip()
      continue
    }
    for (const _ of reader.elements()) {
      // A label may well be called `constructor`: nothing is refused for its keys, which are only read by fixed names.
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
