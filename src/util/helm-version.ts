/** A version as Helm parses it, with 64-bit numbers. */
export interface HelmVersion {
  numbers: readonly [bigint, bigint, bigint]
  /** Pre-release without its hyphen; empty for a release. `1.33.10-eks-ba2e9a1` is a pre-release to Helm. */
  pre: string
}

const longest = 256
const tooLarge = 2n ** 64n
const pattern =
  /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/

/** Missing numbers are zero. Undefined for a version that Helm rejects. */
export function readHelmVersion(text: string): HelmVersion | undefined {
  const found = text.length > longest ? null : pattern.exec(text)
  if (!found) return undefined
  const [, major, minor = '0', patch = '0', pre = ''] = found
  const numbers = [BigInt(major!), BigInt(minor), BigInt(patch)] as const
  if (numbers.some((number) => number >= tooLarge)) return undefined
  return pre.split('.').some((part) => /^0\d+$/.test(part)) ? undefined : { numbers, pre }
}

export function compareHelmVersions(a: HelmVersion, b: HelmVersion) {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index]!
    if (number !== other) return number > other ? 1 : -1
  }
  if (a.pre === '' || b.pre === '') return Number(a.pre === '') - Number(b.pre === '')
  return comparePre(a.pre, b.pre)
}

/** Compares part by part: numbers by value and before words, words alphabetically. */
export function comparePre(a: string, b: string) {
  const [left, right] = [a.split('.'), b.split('.')]
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const order = compareParts(left[index] ?? '', right[index] ?? '')
    if (order !== 0) return order
  }
  return 0
}

function compareParts(a: string, b: string) {
  if (a === b) return 0
  if (a === '' || b === '') return a === '' ? -1 : 1
  const [left, right] = [toNumber(a), toNumber(b)]
  if (left === undefined && right === undefined) return a > b ? 1 : -1
  if (left === undefined || right === undefined) return left === undefined ? 1 : -1
  return left > right ? 1 : -1
}

function toNumber(part: string) {
  const number = /^\d+$/.test(part) ? BigInt(part) : undefined
  return number !== undefined && number < tooLarge ? number : undefined
}
