import { compareHelmVersions, comparePre, type HelmVersion, readHelmVersion } from './helm-version.ts'

/** Tests whether a version, such as that of a cluster, is in a range. */
export type HelmRange = (version: HelmVersion) => boolean

interface Term {
  operator: string
  bound: HelmVersion
  /** How many numbers the bound has: `1.x` and `1` have one, `*` none. */
  given: number
}

const longest = 512
const mostGroups = 32
const bound = String.raw`v?([0-9|xX*]+)(\.[0-9|xX*]+)?(\.[0-9|xX*]+)?(-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?`
const space = String.raw`[\t\n\f\r ]`
const span = new RegExp(`${space}*(${bound})${space}+-${space}+(${bound})${space}*`, 'g')
const term = new RegExp(`${space}*(=>|=<|>=|<=|!=|~>|[=<>~^]|)${space}*(${bound})(${space}*)(,${space}*)?`, 'y')

/** Parses a range as Helm does for the `kubeVersion` of a chart; undefined for an invalid one, which contains no version. */
export function readHelmRange(text: string): HelmRange | undefined {
  if (Buffer.byteLength(text) > longest) return undefined
  const groups = rewriteSpans(text).split('||')
  if (groups.length > mostGroups) return undefined
  const read = groups.map(readGroup)
  if (!read.every((group) => group !== undefined)) return undefined
  return (version) => read.some((group) => isInGroup(version, group))
}

/** Parses a hyphen range: `1.2 - 1.4` */
function rewriteSpans(text: string) {
  let rewritten = text
  for (const found of text.matchAll(span)) {
    rewritten = rewritten.replace(found[0], () => `>= ${found[1]}, <= ${found[7]} `)
  }
  return rewritten
}

/** Terms separated by spaces or commas, all of which must match. */
function readGroup(text: string) {
  const terms: Term[] = []
  for (let at = 0; ; ) {
    term.lastIndex = at
    const found = term.exec(text)
    const read = found && readTerm(found)
    if (!read) return undefined
    terms.push(read)
    at = term.lastIndex
    if (at === text.length) return found[9] === undefined ? terms : undefined
    if (found[8] === '' && found[9] === undefined) return undefined
  }
}

function readTerm([, operator, whole, major, minor, patch, pre = '']: RegExpExecArray): Term | undefined {
  const given = isAny(major) ? 0 : isAny(minor) ? 1 : isAny(patch) ? 2 : 3
  const numbers = [major, minor, patch].slice(0, given).join('')
  const read = readHelmVersion(
    given === 3 ? whole! : `${numbers}${'.0'.repeat(3 - given).slice(given === 0 ? 1 : 0)}${pre}`,
  )
  return read && { operator: operator!, bound: read, given }
}

const isAny = (number: string | undefined) => number === undefined || ['x', 'X', '*'].includes(number.replace('.', ''))

/** A pre-release is only in a group that contains one: `>=1.21.0-0`. */
function isInGroup(version: HelmVersion, terms: readonly Term[]) {
  if (version.pre !== '' && terms.every((one) => one.bound.pre === '')) return false
  return terms.every((one) => holds(version, one))
}

function holds(version: HelmVersion, { operator, ...one }: Term) {
  const order = compareHelmVersions(version, one.bound)
  switch (operator) {
    case '!=':
      return isNot(version, one)
    case '>':
      return isAbove(version, one)
    case '<':
      return order < 0
    case '>=':
    case '=>':
      return order >= 0
    case '<=':
    case '=<':
      return order <= 0 || (one.given < 3 && isWithin(version, { ...one, given: one.given || 2 }))
    case '~':
    case '~>':
      return isNear(version, one)
    case '^':
      return order >= 0 && isCompatible(version, one)
    default:
      return one.given < 3 ? isNear(version, one) : order === 0
  }
}

type Bound = Omit<Term, 'operator'>

/** The bound's numbers are equal. */
function isWithin({ numbers }: HelmVersion, { bound: { numbers: own }, given }: Bound) {
  return own.slice(0, given).every((number, index) => number === numbers[index])
}

function isNot(version: HelmVersion, one: Bound) {
  if (one.given % 3 === 0) return compareHelmVersions(version, one.bound) !== 0
  if (!isWithin(version, one)) return true
  return one.given === 2 && comparePre(version.pre, one.bound.pre) !== 0
}

/** `>1.2` starts at 1.3. */
function isAbove(version: HelmVersion, one: Bound) {
  const isHigher = compareHelmVersions(version, one.bound) > 0
  return one.given % 3 === 0 ? isHigher : isHigher && !isWithin(version, one)
}

/** At or above the bound, with equal major and minor numbers, as far as given. */
function isNear(version: HelmVersion, one: Bound) {
  if (compareHelmVersions(version, one.bound) < 0) return false
  const isZero = one.bound.numbers.every((number) => number === 0n)
  if (isZero && one.given % 3 === 0) return true
  return isWithin(version, { ...one, given: Math.min(one.given, 2) })
}

/** With an equal first non-zero number. */
function isCompatible(version: HelmVersion, { bound: own, given }: Bound) {
  const first = own.numbers.findIndex((number) => number !== 0n)
  const fixed = first < 0 ? given || 3 : Math.min(first + 1, given)
  return isWithin(version, { bound: own, given: fixed })
}
