import { canonicalStage, isCommit, leadKind, platformName, suffixKind, toLetters } from './tag-words.ts'

/** A version of a tag, release or chart. Numbers are digit strings, so they cannot overflow. */
export interface Version {
  text: string
  /** The version is an image tag, which has `-` where a release may have `+`. */
  isTag: boolean
  /** Prefix before the number, without platform words: `v`, `controller-v`, `RELEASE.` */
  prefix: string
  /** The number and everything after it: `1.27.3-alpine`. */
  bare: string
  /** The number as written: `4.09`. */
  core: string
  /** Numbers without leading zeros; a date is year, month, day and maybe the time. */
  segments: string[]
  isDate: boolean
  /** Parts of a pre-release such as `rc.1`; empty if stable. */
  prerelease: string[]
  /** Rebuild numbers of the same version: `-r3`, `-01`, `+k3s1`. */
  revision: string[]
  /** Words before the number that may identify another line of tags: `stable` in `stable-2.14.10`. */
  lead: string
  /** Image variant, without versions of base images: `alpine` in `1.27.3-alpine3.20`. */
  variant: string
}

const maxLength = 256
const none: string[] = []
const printable = /^[ -~]*$/
const numberPattern = /(?<![0-9a-z.])(v?)(\d+(?:\.\d+)*)/g
const datePattern = /(?<![0-9a-z])(v?)((\d{4})-(\d\d)-(\d\d)(?:t(\d\d)-(\d\d)-(\d\d)z)?)(?!\d)/
/** A fast test that few texts pass. */
const daysPattern = /\d{4}-\d\d-\d\d/
/** Characters allowed after a number without a dot; anything else makes it part of a name or commit. */
const afterWholeNumber = /^(?:$|[-_+]|(?:a|alpha|b|beta|ea|m|rc|u)\d)/

/** Undefined if the text has no version: `latest`, `main-1234abc`, `9799770991`. */
export function parseVersion(text: string, tagPattern?: RegExp): Version | undefined {
  if (text.length > maxLength || !printable.test(text)) return undefined
  const whole = tagPattern?.exec(text)?.[1] ?? text
  return readCommon(text, whole) ?? readAny(text, whole)
}

/** Matches most versions of a catalog: numbers shorter than a date, and maybe a numbered stage. */
const commonPattern = /^[vV]?\d{1,7}(?:\.\d{1,7})+(?:-(?:alpha|beta|rc)(?:[.-]?\d+)?)?$/

/** Same result as `readAny`, in a fifth of the time. */
function readCommon(text: string, whole: string): Version | undefined {
  if (!commonPattern.test(whole)) return undefined
  const bare = isDigit(whole.charCodeAt(0)) ? whole : whole.slice(1)
  const hyphen = bare.indexOf('-')
  const core = hyphen < 0 ? bare : bare.slice(0, hyphen)
  return {
    text,
    isTag: false,
    prefix: text === bare ? '' : text.slice(0, text.lastIndexOf(bare)),
    bare,
    core,
    segments: core.split('.').map(withoutZeros),
    isDate: false,
    prerelease: hyphen < 0 ? none : readStage(bare.slice(hyphen + 1)),
    revision: none,
    lead: '',
    variant: '',
  }
}

const isDigit = (code: number) => code >= 48 && code <= 57

/** Splits a stage: `rc.1`, `beta2`. */
function readStage(text: string) {
  const stage = toLetters(text)
  const count = text.slice(stage.length).replace(/^[.-]/, '')
  return count === '' ? [stage] : [stage, withoutZeros(count)]
}

/** Parses any version by the meaning of its words. Exported to compare it with `readCommon`. */
export function readAny(text: string, whole: string): Version | undefined {
  const source = whole.toLowerCase()
  const number = findNumber(source)
  if (!number) return undefined
  const before = wordsBefore(source.slice(0, number.start))
  if (before.some((word) => leadKind(word) === 'branch')) return undefined
  const toKind = (word: string) => {
    const kind = leadKind(word)
    return kind === 'distribution' && number.isOfSystem ? 'other' : kind
  }
  const { prerelease, revision, variant } = readSuffix(source.slice(number.end))
  const platform = before.filter((word) => ['platform', 'distribution'].includes(toKind(word))).map(platformName)
  const bare = whole.slice(number.start)
  return {
    text,
    isTag: false,
    prefix: platform.length > 0 ? number.v : text.slice(0, text.lastIndexOf(bare)),
    bare,
    core: source.slice(number.start, number.end),
    segments: number.digits.map(withoutZeros),
    isDate: number.isDate,
    prerelease,
    revision,
    lead: before.filter((word) => toKind(word) === 'other').join('-'),
    variant: [...platform, ...variant].join('-'),
  }
}

/** Compares by number, then pre-releases before releases, then by rebuild. Ignores the image variant. */
export function compareVersions(a: Version, b: Version) {
  return compareStages(a, b) || compareNumbers(a.revision, b.revision)
}

/** Like `compareVersions`, ignoring rebuilds. */
export function compareStages(a: Version, b: Version) {
  return compareNumbers(a.segments, b.segments) || comparePrereleases(a.prerelease, b.prerelease)
}

/** Compares part by part, with missing parts as zero. */
export function compareNumbers(a: readonly string[], b: readonly string[]) {
  const length = a.length > b.length ? a.length : b.length
  for (let index = 0; index < length; index++) {
    const left = a[index] ?? '0'
    const right = b[index] ?? '0'
    if (left === right) continue
    const order = compareDigits(left, right)
    if (order !== 0) return order
  }
  return 0
}

/** Whether the first number is a year, which is not comparable with a plain version number. */
export function isCalendar(version: Version) {
  const [first = ''] = version.segments
  return first.length === 4 && first >= '1990' && first <= '2100'
}

/** The number of a build that adds a security fix to a version: `1` of `12.0.0+security-01`. */
export const securityBuild = (version: string) => /[-+.]security-?0*(\d{1,9})(?!\d)/i.exec(version)?.[1]

interface FoundNumber {
  v: string
  start: number
  end: number
  digits: string[]
  isDate: boolean
  /** The number may be the version of the base system before it: `alpine-3.20.3`. */
  isOfSystem?: boolean
}

function findNumber(text: string) {
  const date = daysPattern.test(text) ? datePattern.exec(text) : null
  if (date && isDay(date[3], date[4], date[5])) {
    return found(
      date,
      date.slice(3).filter((part) => part !== undefined),
      true,
    )
  }
  let ofSystem: FoundNumber | undefined
  for (const match of text.matchAll(numberPattern)) {
    const digits = (match[2] ?? '').split('.')
    const [first = '', ...more] = digits
    const day = /^(\d{4})(\d\d)(\d\d)$/.exec(first)
    if (day && isDay(day[1], day[2], day[3])) return found(match, [...day.slice(1), ...more], true)
    const before = formatWords(text.slice(0, match.index))
    if (match[1] === '' && leadKind(before.at(-1) ?? '') === 'distribution') {
      if (digits.length > 2) ofSystem ??= { ...found(match, digits, false), isOfSystem: true }
    } else if (digits.length > 1 || isWholeVersion(first, before, text.slice(match.index))) {
      return withUpdate(found(match, digits, false), text)
    }
  }
  return ofSystem
}

/** Java's `8u492` is 8.0.492. */
function withUpdate(number: FoundNumber, text: string) {
  const update = number.digits.length === 1 ? /^u(\d+)/.exec(text.slice(number.end)) : null
  if (!update) return number
  return { ...number, end: number.end + update[0].length, digits: [...number.digits, '0', update[1] ?? ''] }
}

/** A single number is a version only with at most `v` before it, and if it is not a build number. */
function isWholeVersion(digits: string, before: string[], text: string) {
  if (digits.length > 4 || before.some((word) => leadKind(word) !== 'neutral')) return false
  const [word = ''] = text.split(/[-_+]/)
  return !isCommit(word) && afterWholeNumber.test(text.replace(/^v?\d+/, ''))
}

function found(match: RegExpExecArray, digits: string[], isDate: boolean): FoundNumber {
  const [, v = '', number = ''] = match
  const start = match.index + v.length
  return { v, start, end: start + number.length, digits, isDate }
}

/** Numbers belong to the word before them: a stage, a rebuild, or a base image, whose numbers are ignored. */
function readSuffix(text: string): Pick<Version, 'prerelease' | 'revision'> & { variant: string[] } {
  const prerelease: string[] = []
  const revision: string[] = []
  const variant: string[] = []
  let kind = 'revision'
  for (const [index, part] of text.split(/[^0-9a-z]+/).entries()) {
    if (part === '' || isCommit(part)) continue
    const letters = toLetters(part)
    const digits = /(?<!\d)\d+$/.exec(part)?.[0]
    if (letters === '' && digits === part) {
      if (kind === 'prerelease') prerelease.push(withoutZeros(part))
      else if (kind === 'variant') variant.push(`${variant.pop()}.${part}`)
      else if (kind === 'revision' || kind === 'neutral') revision.push(withoutZeros(part))
      continue
    }
    kind = suffixKind(part, index === 0)
    if (kind === 'prerelease') prerelease.push(canonicalStage(letters))
    if (kind === 'platform') variant.push(platformName(part))
    if (kind === 'variant') variant.push(part)
    if (digits && kind === 'prerelease') prerelease.push(withoutZeros(digits))
    if (digits && kind === 'revision') revision.push(withoutZeros(digits))
  }
  return { prerelease, revision, variant }
}

export function comparePrereleases(a: readonly string[], b: readonly string[]) {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [left = '', right = ''] = [a[index], b[index]]
    const order = compareIdentifiers(left, right)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** By Semantic Versioning, numbers sort before words. */
function compareIdentifiers(a: string, b: string) {
  const isNumber = isDigits(a)
  if (isNumber !== isDigits(b)) return isNumber ? -1 : 1
  return isNumber ? compareDigits(a, b) : a < b ? -1 : a > b ? 1 : 0
}

function compareDigits(a: string, b: string) {
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}

function isDigits(text: string) {
  return /^\d+$/.test(text)
}

function isDay(year = '', month = '', day = '') {
  return year >= '1990' && year <= '2100' && month >= '01' && month <= '12' && day >= '01' && day <= '31'
}

function withoutZeros(digits: string) {
  return digits.startsWith('0') ? digits.replace(/^0+(?=\d)/, '') : digits
}

/** Omits the numbers of a base system. */
function wordsBefore(text: string) {
  let isOfSystem = false
  return formatWords(text).filter((word) => {
    if (!isDigits(word)) isOfSystem = leadKind(word) === 'distribution'
    return !isOfSystem || !isDigits(word)
  })
}

function formatWords(text: string) {
  return text.split(/[^0-9a-z]+/).filter((word) => word !== '')
}
