/** `1.33` of `v1.33.10-eks-ba2e9a1`; undefined for what does not begin with two numbers. */
export function minorOf(version: string): string | undefined {
  const found = /^v?(\d{1,3})\.(\d{1,3})(?!\d)/.exec(version.trim())
  return found ? `${Number(found[1])}.${Number(found[2])}` : undefined
}

/** Number by number; missing ones as zero. */
export function compareLines(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')]
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = Number(left[index] ?? 0) - Number(right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** The minor versions after `from` up to `to`; undefined where these have different first numbers, or it goes down. */
export function minorsBetween(from: string, to: string): string[] | undefined {
  const [[major, first], [lastMajor, last]] = [numbersOf(from), numbersOf(to)]
  if (major !== lastMajor || last < first) return undefined
  return Array.from({ length: last - first }, (_, index) => `${major}.${first + index + 1}`)
}

function numbersOf(minor: string): [number, number] {
  const [major, number] = minor.split('.')
  return [Number(major), Number(number)]
}
