/** Only the letters and digits of a name: no case, spaces, invisible characters, or prefix such as `ns:`. */
export function bareName(name: string): string {
  const last = name.slice(name.lastIndexOf(':') + 1)
  return last
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

const shortest = 5

/** Whether one bare name may be a misspelling of another: a plural, or one letter added, missing or replaced. */
export function isSpelling(name: string, known: string): boolean {
  if (name === known || `${name}s` === known || name === `${known}s`) return true
  return Math.min(name.length, known.length) >= shortest && isOneApart(name, known)
}

function isOneApart(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  const rest = short.length === long.length ? at + 1 : at
  return short.slice(rest) === long.slice(at + 1)
}

/** `policies` → `policy`. */
export function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:ss|x|ch)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}
