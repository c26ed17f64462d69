/** JSON text as a member of an answer. Parsing and serializing it would change numbers, spaces and repeated keys. */
export class JsonText {
  /** The text in UTF-8. */
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  toJSON(): unknown {
    return JSON.parse(Buffer.from(this.bytes).toString('utf8'))
  }
}

/** Serializes a value as JSON in UTF-8; a `JsonText` at its top level stays unchanged. */
export function writeJson(value: unknown) {
  const encoder = new TextEncoder()
  const texts = Object.entries(value ?? {}).filter(
    (member): member is [string, JsonText] => member[1] instanceof JsonText,
  )
  if (texts.length === 0) return encoder.encode(JSON.stringify(value))
  const rest = { ...(value as object), ...Object.fromEntries(texts.map(([name]) => [name, undefined])) }
  const head = JSON.stringify(rest).slice(0, -1)
  const pieces = texts.flatMap(([name, { bytes }], index) => [
    encoder.encode(`${head === '{' && index === 0 ? '' : ','}${JSON.stringify(name)}:`),
    bytes,
  ])
  const all = [encoder.encode(head), ...pieces, encoder.encode('}')]
  const whole = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of all) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** The value with each `JsonText` at its top level parsed. */
export function parseTexts<T>(value: T) {
  const texts = Object.entries(value ?? {}).filter(([, member]) => member instanceof JsonText)
  if (texts.length === 0) return value
  return { ...value, ...Object.fromEntries(texts.map(([name, text]) => [name, (text as JsonText).toJSON()])) }
}
