import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml'
import { lookedAtParts, vexJustifications } from '../contract/choices.ts'
import { anyAdvisoryId } from '../contract/patterns.ts'
import { parseDays, parseTimestamp } from '../util/time.ts'
import { notARule, type PolicyProblem, unusable } from './complete-policy.ts'
import type { Exception } from './exception.ts'
import { isExceptionTarget } from './exception-target.ts'
import { type Policy, type TakenInLine, unratedChoices } from './policy.ts'
import { type GateRule, parseRule } from './rules.ts'
import type { UndecidedLine } from './undecided-line.ts'
import { isJustification } from './vex-justification.ts'

export const maxPolicyBytes = 256 * 1024
const maxRules = 100
const maxExceptions = 1000

/**
 * Parses the key `gate` of a YAML file; undefined without it. Ignores other keys. Throws `gate_undecided` with all problems
 * and their lines: an unknown key, an invalid rule, an exception without reason or expiry date. Reads YAML nodes, so that
 * aliases are not followed and keys do not become properties.
 */
export function readPolicy(yaml: string, file: string): Policy | undefined {
  const lines = new LineCounter()
  const root = parse(yaml, file, lines)
  if (root === null) return undefined
  return new PolicyReader(file, lines).read(root)
}

function parse(yaml: string, file: string, lineCounter: LineCounter): Node | null {
  if (Buffer.byteLength(yaml) > maxPolicyBytes) {
    throw unusable([{ source: file, problem: `is larger than ${maxPolicyBytes / 1024} KB` }])
  }
  let document: ReturnType<typeof parseDocument>
  try {
    document = parseDocument(yaml, { lineCounter, uniqueKeys: false, prettyErrors: false })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw unusable([{ source: file, problem: 'is nested too deeply' }])
  }
  const [error] = document.errors
  if (!error) return document.contents
  const { line } = lineCounter.linePos(error.pos[0])
  throw unusable([{ source: `${file}:${line}`, problem: error.message }])
}

class PolicyReader {
  readonly #file: string
  readonly #lines: LineCounter
  readonly #problems: PolicyProblem[] = []

  constructor(file: string, lines: LineCounter) {
    this.#file = file
    this.#lines = lines
  }

  read(root: Node): Policy | undefined {
    const gate = this.#members(root, 'the file', undefined).get('gate')
    const policy = gate === undefined ? undefined : this.#policy(gate)
    if (this.#problems.length > 0) throw unusable(this.#problems)
    return policy
  }

  #policy(gate: Node): Policy {
    const members = this.#members(gate, 'gate', [
      'fail_on',
      'branch',
      'looked_at',
      'begin',
      'baseline',
      'undecided',
      'unknown_severity',
      'unrated',
      'events',
      'renamed',
      'first_seen_before',
      'exceptions',
    ])
    const graceDays = this.#days(members.get('first_seen_before'))
    const branch = members.get('branch')
    const begin = members.get('begin')
    return {
      rules: this.#list(members, 'fail_on', maxRules).flatMap((node) => this.#rule(node)),
      begin: begin && this.#day(begin),
      takenIn: this.#list(members, 'baseline', maxExceptions).flatMap((node) => this.#takenIn(node)),
      undecided: this.#list(members, 'undecided', maxExceptions).flatMap((node) => this.#undecided(node)),
      unknownSeverity: this.#word(
        members,
        'unknown_severity',
        ['undecided', 'fail', 'ignore'],
        'unknown_severity is fail, ignore or undecided',
      ),
      unrated: this.#word(members, 'unrated', unratedChoices, `unrated is ${unratedChoices.join(', ')}`),
      events: this.#word(members, 'events', ['ignore', 'count'], 'events is count or ignore'),
      renamed: this.#word(members, 'renamed', ['ignore', 'count'], 'renamed is count or ignore'),
      exceptions: this.#list(members, 'exceptions', maxExceptions).flatMap((node) => this.#exception(node)),
      ...(members.has('looked_at') && {
        lookedAt: this.#list(members, 'looked_at', lookedAtParts.length).flatMap(
          (node) =>
            lookedAtParts.find((part) => part === toText(node)) ??
            this.#wrong(node, `looked_at lists ${lookedAtParts.join(', ')}`),
        ),
      }),
      branch: branch && this.#text(branch, 'branch', 300),
      graceDays,
    }
  }

  #rule(node: Node): GateRule[] {
    const text = this.#text(node, 'a rule', 100)
    if (text === undefined) return []
    const rule = parseRule(text)
    return rule ? [rule] : this.#wrong(node, notARule(text))
  }

  /** One of several words; the first is the default. */
  #word<W extends string>(members: Map<string, Node>, key: string, words: readonly [W, ...W[]], problem: string): W {
    const node = members.get(key)
    const word = node === undefined ? words[0] : words.find((each) => each === toText(node))
    if (word === undefined) this.#wrong(node, problem)
    return word ?? words[0]
  }

  /** A number of days: `14d`. */
  #days(node: Node | undefined): number | undefined {
    if (node === undefined) return undefined
    const days = parseDays(toText(node))
    if (days === undefined) this.#wrong(node, 'first_seen_before is a number of days such as 14d')
    return days
  }

  /** What may be unknown, in which cluster, until when. */
  #undecided(node: Node): UndecidedLine[] {
    const keys = ['part', 'place', 'forbidden']
    const { members, texts } = this.#entry(node, 'a line of undecided', ['cluster'], {
      lists: keys,
      end: 'until',
      isReasonOptional: true,
    })
    const given = keys.filter((key) => members.has(key))
    if (given.length !== 1) this.#wrong(node, 'a line of undecided has one of part, place and forbidden')
    const [part, place, forbidden] = keys.map((key) => this.#names(members.get(key), key))
    if (texts.until === undefined || !part || !place || !forbidden) return []
    const { until, ...rest } = texts
    return [{ ...rest, part, place, forbidden, expires: until, source: this.#where(node) }]
  }

  /** One name, or a list of them. */
  #names(node: Node | undefined, key: string): string[] {
    const all = node === undefined ? [] : isSeq(node) ? (node.items as Node[]) : [node]
    return all.flatMap((each) => this.#text(each, key, 300) ?? [])
  }

  /** The runs that are taken in, with the reason and the last day. */
  #takenIn(node: Node): TakenInLine[] {
    const { members, texts } = this.#entry(node, 'a line of baseline', ['cluster', 'subject', 'commit', 'day'], {
      end: 'until',
    })
    const { cluster, until, reason, day, ...rest } = texts
    if (!members.has('cluster')) this.#wrong(node, 'a line of baseline names its cluster')
    if (members.has('commit') === members.has('day')) this.#wrong(node, 'a line of baseline has either commit or day')
    if (day !== undefined) this.#day(members.get('day')!)
    if (cluster === undefined || until === undefined || reason === undefined) return []
    return [{ ...rest, day, cluster, reason, expires: until, source: this.#where(node) }]
  }

  #day(node: Node): string | undefined {
    const text = toText(node)
    if (isDay(text)) return text
    this.#wrong(node, `${JSON.stringify(text)} is not a date: use YYYY-MM-DD`)
    return undefined
  }

  #exception(node: Node): Exception[] {
    const { members, texts: exception } = this.#entry(node, 'an exception', [
      'fingerprint',
      'check',
      'namespace',
      'resource',
      'advisory',
      'artifact',
      'justification',
    ])
    const { reason, expires, fingerprint } = exception
    if (fingerprint !== undefined && !/^[0-9a-f]{32}$/.test(fingerprint)) {
      this.#wrong(members.get('fingerprint'), 'a fingerprint must have 32 hex digits')
    }
    const { advisory, justification } = exception
    if (advisory !== undefined && !new RegExp(anyAdvisoryId).test(advisory)) {
      this.#wrong(members.get('advisory'), 'an advisory is named by an id such as CVE-2026-1234')
    }
    if (justification !== undefined && (advisory === undefined || !isJustification(justification))) {
      const which = vexJustifications.join(', ')
      this.#wrong(members.get('justification'), `justification belongs to an advisory and is one of ${which}`)
    }
    const keys = [...members.keys()].filter((key) => !['reason', 'expires', 'justification'].includes(key))
    if (!isExceptionTarget(keys)) {
      const targets = 'check, namespace, resource; or artifact, namespace; or advisory, artifact, namespace'
      this.#wrong(node, `an exception has a fingerprint; or ${targets}`)
    }
    if (reason === undefined || expires === undefined) return []
    const { justification: _, ...target } = exception
    return [
      {
        ...target,
        ...(isJustification(justification) && { justification }),
        reason,
        expires,
        source: this.#where(node),
      },
    ]
  }

  /** The members of a mapping and their texts, with a reason and a last day, `end`. Lists are not read. */
  #entry<K extends string, E extends string = 'expires'>(
    node: Node,
    what: string,
    keys: readonly K[],
    { lists = [], end, isReasonOptional }: { lists?: readonly string[]; end?: E; isReasonOptional?: true } = {},
  ) {
    const last = end ?? ('expires' as E)
    const known = [...keys, 'reason' as const, last]
    const members = this.#members(node, what, [...known, ...lists])
    const texts: Partial<Record<K | 'reason' | E, string>> = {}
    for (const key of known) {
      const value = members.get(key)
      const text = value && this.#text(value, key, key === 'reason' ? 1000 : 300)
      if (text !== undefined) texts[key] = text
    }
    if (!isReasonOptional && !members.has('reason')) this.#wrong(node, `${what} needs a reason`)
    const day = members.get(last)
    if (day && texts[last] !== undefined && this.#day(day) === undefined) delete texts[last]
    if (!day) this.#wrong(node, `${what} needs ${last}: YYYY-MM-DD`)
    return { members, texts }
  }

  /** Members of a mapping; rejects those not in `allowed`. */
  #members(node: Node, what: string, allowed: readonly string[] | undefined): Map<string, Node> {
    const members = new Map<string, Node>()
    if (!isMap(node)) {
      this.#wrong(node, `${what} must be a mapping`)
      return members
    }
    for (const { key, value } of (node as YAMLMap<Node, Node | null>).items) {
      const name = isScalar(key) && typeof key.value === 'string' ? key.value : undefined
      if (name === undefined || (allowed && !allowed.includes(name))) {
        if (allowed) this.#wrong(key, `${what} has no key ${JSON.stringify(name ?? String(key)).slice(0, 100)}`)
      } else if (members.has(name)) {
        if (allowed || name === 'gate') this.#wrong(key, `${name} appears twice`)
      } else if (value === null) this.#wrong(key, `${name} has no value`)
      else members.set(name, value)
    }
    return members
  }

  #list(members: Map<string, Node>, what: string, max: number): Node[] {
    const node = members.get(what)
    if (node === undefined) return []
    if (!isSeq(node)) return this.#wrong(node, `${what} must be a list`)
    if (node.items.length > max) return this.#wrong(node, `${what} has at most ${max} entries`)
    return node.items as Node[]
  }

  #text(node: Node, what: string, maxLength: number): string | undefined {
    const value = toText(node)
    if (value !== '' && value.length <= maxLength) return value
    this.#wrong(node, value === '' ? `${what} must be text` : `${what} has at most ${maxLength} characters`)
    return undefined
  }

  #wrong(node: Node | undefined, problem: string): [] {
    if (this.#problems.length < 20) this.#problems.push({ source: this.#where(node), problem })
    return []
  }

  #where(node: Node | undefined): string {
    const at = node?.range?.[0]
    return at === undefined ? this.#file : `${this.#file}:${this.#lines.linePos(at).line}`
  }
}

/** A number as written: a fingerprint may consist of digits only. */
function toText(node: Node): string {
  if (!isScalar(node)) return ''
  return typeof node.value === 'number' ? (node.source ?? '') : typeof node.value === 'string' ? node.value.trim() : ''
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && parseTimestamp(text) !== undefined
}
