/** `12,277`: for people only, data keeps `12277`. */
export function number(value: number): string {
  return Number.isInteger(value) ? String(value).replace(/\B(?=(\d{3})+$)/g, ',') : String(value)
}

/** `1 check`, `2 checks`. */
export function count(many: number, noun: string, nouns = `${noun}s`): string {
  return `${number(many)} ${nounFor(many, noun, nouns)}`
}

/** The same without the number, where that stands elsewhere. */
export const nounFor = (many: number, noun: string, nouns = `${noun}s`): string => (many === 1 ? noun : nouns)

/** The first names, and how many more there are: `a, b, c and 4 more`. */
export function listed(names: readonly string[], most = 3): string {
  return withMore(names.slice(0, most).join(', '), names.length - most)
}

/** A list that is cut, with how many more it has. */
export const withMore = (text: string, more: number): string => (more > 0 ? `${text} ${andMore(more)}` : text)

/** A sentence as a part of another one. */
export const withoutStop = (sentence: string): string => sentence.replace(/(?<!\.)\.$/, '')

/** After a list that is cut. */
export const andMore = (more: number): string => `and ${number(more)} more`

/** A change, with its sign: `+3`, `−2`, `±0`. */
export const signed = (value: number): string => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '±0')
