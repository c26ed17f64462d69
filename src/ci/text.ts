// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
const steering = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]+/g

/** Foreign text on one line: no control characters, no direction tricks, no half of a surrogate pair. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(steering, ' ')
}

/** At most so many letters, on one line. */
export function short(text: string, max: number): string {
  const line = oneLine(text)
  return line.length <= max ? line : `${line.slice(0, max - 1).toWellFormed()}…`
}

/** `shop pod/web`, `shop`, or `cluster` for what belongs to no namespace. */
export function place({ namespace, resource }: { namespace: string | null; resource: string | null }): string {
  return [namespace, resource].filter((part) => part !== null).join(' ') || 'cluster'
}
