type Told = Record<string, true | string | string[]>

const lists = new Set(['additional-excluded-namespaces', 'excluded-checks'])

/** Flags as the native scanner's parser reads them: `--name` is a switch, lists are one record of CSV. */
export function readFlags(words: string[]): Told {
  const told: Told = {}
  for (const word of words) {
    const [, name, value] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? []
    if (!name || name in told) throw new Error(`no flag, or a second time: ${JSON.stringify(word)}`)
    if (value === undefined) told[name] = true
    else told[name] = lists.has(name) ? readRecord(value) : value
  }
  return told
}

/** The first record of CSV by the rules of Go's `encoding/csv`. */
function readRecord(text: string): string[] {
  const fields: string[] = []
  const field = /"((?:[^"]|"")*)"(,|\r?\n|$)|([^",\n]*)(,|\n|$)/y
  for (;;) {
    const match = field.exec(text)
    if (!match) throw new Error(`a bare quote in ${JSON.stringify(text)}`)
    const [, quoted, quotedEnd, plain = '', plainEnd] = match
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"').replaceAll('\r\n', '\n'))
    if ((quotedEnd ?? plainEnd) !== ',') return fields
  }
}
