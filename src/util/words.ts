/** `12,277`: for users only, data has `12277`. */
export function number(value: number) {
  return Number.isInteger(value) ? String(value).replace(/\B(?=(\d{3})+$)/g, ',') : String(value)
}

/** `1 check`, `2 checks`. */
export function count(many: number, noun: string, nouns = `${noun}s`) {
  return `${number(many)} ${nounFor(many, noun, nouns)}`
}

/** The noun for a number, without the number. */
export const nounFor = (many: number, noun: string, nouns = `${noun}s`) => (many === 1 ? noun : nouns)

/** The first names, and the number of others: `a, b, c and 4 more`. */
export function listed(names: readonly string[], most = 3) {
  return withMore(names.slice(0, most).join(', '), names.length - most)
}

/** A truncated list, with the number of other items. */
export const withMore = (text: string, more: number) => (more > 0 ? `${text} ${andMore(more)}` : text)

/** With a capital letter. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A sentence without its period. */
export const withoutStop = (sentence: string) => sentence.replace(/(?<!\.)\.$/, '')

/** Suffix of a truncated list. */
export const andMore = (more: number) => `and ${number(more)} more`

/** A change, with its sign: `+3`, `−2`, `±0`. */
export const signed = (value: number) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '±0')
