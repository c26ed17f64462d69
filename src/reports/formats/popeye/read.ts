import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import type { JsonReader } from '../../../util/json.ts'
import { scoreGap } from '../../score-gap.ts'
import { singular } from '../../spelling.ts'
import { shapeFor, strangeMember } from '../../strange-member.ts'
import { string } from '../../text.ts'
import { type Place, ScanCollector } from '../collector.ts'
import { DuplicateCounter } from '../duplicate-counter.ts'
import { toIdentity } from '../item-text.ts'
import { contradictionBySeverity } from '../reconcile.ts'
import { eachObject, notOf, number, object, openObject, time, toLists, type Values } from '../values.ts'

/** Popeye's levels: 0 is OK, 1 info, 2 warning, 3 error. */
const severities = new Map<number | undefined, FindingSeverity>([
  [1, 'info'],
  [2, 'medium'],
  [3, 'high'],
])

/**
 * `popeye -o json`. Older versions have `sanitizers`, each with a `sanitizer`; newer ones `sections`, each with a `linter`.
 * Both have `issues` by resource (`namespace/name`, or just the name).
 */
export function readPopeye(bytes: Uint8Array) {
  const collector = new ScanCollector('popeye')
  const sections = new Sections(collector)
  const reader = openObject(bytes)
  const head: Values = {}
  let body: Values | undefined
  for (const key of reader.members()) {
    if (key === 'popeye' && reader.isObject()) body = readBody(reader, sections)
    else head[key] = reader.value()
  }
  reader.end()
  if (!body) throw notOf('popeye', 'popeye')
  sections.finish()
  collector.gap('Sections', strangeMember(head, rootShape) ?? strangeMember(body, bodyShape))
  readErrors(body.errors, collector)
  return collector.finish({
    clusterName: string(head.ClusterName) ?? string(head.ContextName),
    generatedAt: time(body.report_time),
    score: number(body.score),
  })
}

const sectionFields = 'linter sanitizer gvr tally issues level message'
const rootShape = shapeFor({ known: 'popeye ClusterName ContextName', rows: sectionFields })
const bodyShape = shapeFor({
  known: 'report_time score grade sections sanitizers errors',
  rows: sectionFields,
})
const sectionShape = shapeFor({ known: 'linter sanitizer gvr tally issues', rows: 'level message gvr group' })
const tallyShape = shapeFor({ known: 'ok info warning error score' })
const issueShape = shapeFor({ known: 'group gvr level message' })

function readBody(reader: JsonReader, sections: Sections) {
  const body: Values = {}
  for (const key of reader.members()) {
    if (key === 'sanitizers' || key === 'sections') {
      for (const section of eachObject(reader, `popeye.${key}`)) sections.add(section)
    } else body[key] = reader.value()
  }
  return body
}

/** Popeye omits a section in which an error occurred. Go writes most errors as `{}`. */
function readErrors(errors: unknown, collector: ScanCollector) {
  if (errors == null || (Array.isArray(errors) && errors.length === 0)) return
  const all = Array.isArray(errors) ? errors : [errors]
  const said = all.flatMap((error) => string(error) ?? []).join('; ')
  collector.gap('Errors of Popeye', `${all.length} errors, so that results may be missing${said && `: ${said}`}`)
}

/** The code for a pod that nothing owns. */
const unmanaged = 'POP-208'

class Sections {
  readonly #collector: ScanCollector
  /** In versions with codes, an issue without a code is an error that prevented a section. */
  readonly #uncoded: { section: string; message: string; report: () => void }[] = []
  #hasCodes = false

  constructor(collector: ScanCollector) {
    this.#collector = collector
  }

  add(section: Values) {
    const title = string(section.linter) ?? string(section.sanitizer) ?? ''
    this.#collector.part(title)
    if (Object.values(object(section.tally)).some((count) => typeof count === 'number' && count > 0))
      this.#collector.lookedAt()
    const worst: number[] = []
    const resources = [...toLists(section.issues, 'popeye.sections.issues')]
    const isWhole = resources.length === toCount(section)
    for (const [name] of resources) this.#collector.node(placeFor(title, name).resource, isWhole)
    for (const [name, issues] of resources) {
      const place = placeFor(title, name)
      this.#collector.lookedAt()
      this.#collector.inNamespace(place.namespace)
      const duplicates = new DuplicateCounter()
      if (issues.some(({ message }) => splitCode(string(message) ?? '').id === unmanaged)) this.#collector.bare(place)
      for (const issue of issues) this.#addIssue(issue, { title, place, duplicates })
      worst.push(Math.max(0, ...issues.map(({ level }) => number(level) ?? Number.NaN)))
    }
    this.#collector.gap(`Section ${title || 'without a name'}`, gapFor(section, worst), title)
  }

  finish() {
    for (const { section, message, report } of this.#uncoded) {
      const id = `POP-${section}`
      if (this.#hasCodes) this.#collector.notRun({ id, name: id, category: section }, message)
      else report()
    }
  }

  #addIssue(
    issue: Values,
    { title, place, duplicates }: { title: string; place: Place; duplicates: DuplicateCounter },
  ) {
    const level = number(issue.level)
    const { id, message } = splitCode(string(issue.message) ?? 'without a message')
    this.#hasCodes ||= id !== undefined
    const strange = level === 0 ? strangeMember(issue, issueShape) : undefined
    this.#collector.gap(`Section ${title || 'without a name'}`, strange, title)
    if (level === 0) return
    const severity = severities.get(level) ?? 'unknown'
    const check = { id: id ?? `POP-${title}`, name: id ?? `POP-${title}`, category: title }
    const group = string(issue.group)
    const value = group === undefined || group === '__root__' ? null : group
    const item = { ...place, message, value }
    const identity = `${toIdentity(item)}\n${value ?? ''}`
    const twin = duplicates.of(`${check.id}\n${identity}`, message)
    const report = () => this.#collector.finding(check, severity, { ...item, identity }, twin)
    if (id !== undefined || severity !== 'high') report()
    else this.#uncoded.push({ section: title, message, report })
    for (const code of needsOf.get(id) ?? []) {
      this.#collector.notRun({ id: code, name: code, category: title }, message)
    }
  }
}

/** Why a section may hide findings: popeye counts resources by their worst level, and the list disagrees. */
function gapFor(section: Values, worst: number[]) {
  const tally = object(section.tally)
  const counted = tallyWords.map((word): [string, unknown] => [`resources from level ${word}`, tally[word]])
  const listed = tallyWords.map((_, i) => worst.filter((each) => each === 3 - i || (i === 0 && each > 3)).length)
  const gap = contradictionBySeverity('its tally', counted, listed)
  if (gap !== undefined) return gap
  if (worst.includes(Number.NaN)) return 'an issue has no level'
  // Popeye gives the score 0 to a section without resources.
  const score = worst.length === 0 && toCount(section) === 0 ? undefined : scoreOfTally(tally)
  const strange = strangeMember(section, sectionShape) ?? strangeMember(tally, tallyShape) ?? score
  if (strange !== undefined) return strange
  return section.issues === undefined && section.tally === undefined ? 'it has neither issues nor a tally' : undefined
}

/** Worst level first. */
const tallyWords = ['error', 'warning', 'info'] as const

function scoreOfTally(tally: Values) {
  const counts = tallyWords.map((word) => number(tally[word]) ?? 0)
  return scoreGap({ score: number(tally.score), isClean: counts.every((count) => count === 0) })
}

/** Number of resources that popeye checked. */
const toCount = ({ tally }: Values) =>
  ['ok', ...tallyWords].reduce((sum, word) => sum + (number(object(tally)[word]) ?? 0), 0)

const codes = (...numbers: number[]) => numbers.map((number) => `POP-${number}`)

/** Issues about data that popeye could not measure, with the codes that depend on it. */
const needsOf = new Map<string | undefined, string[]>([
  ['POP-402', codes(109, 110, 111, 112, 503, 504, 505, 506, 602, 603, 604, 605, 709, 710)],
  ['POP-404', codes(403)],
  ['POP-708', codes(709, 710)],
])

/** Splits `[POP-106] No resources requests/limits defined`; sections without codes use their own name as check. */
function splitCode(text: string) {
  const match = /^\[(POP-\d+)\]\s*(.+)$/s.exec(text)
  return match ? { id: match[1]!, message: match[2]! } : { message: text }
}

function placeFor(title: string, name: string) {
  const slash = name.indexOf('/')
  const kind = singular(title.toLowerCase())
  return {
    namespace: slash > 0 ? name.slice(0, slash) : kind === 'namespace' ? name : null,
    resource: `${kind}/${name.slice(slash + 1)}`,
  }
}
