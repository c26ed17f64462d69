import { JsonReader } from '../util/json.ts'

/** Each object of a list as `kubectl get -o json` writes it, one after the other. Throws `invalid_json`. */
export function* readList(bytes: Uint8Array, what: string): Generator<unknown, void> {
  const reader = new JsonReader(bytes, what)
  for (const key of reader.members()) {
    if (key !== 'items' || !reader.isArray()) {
      reader.skip()
      continue
    }
    for (const _ of reader.elements()) yield reader.value()
  }
  reader.end()
}
