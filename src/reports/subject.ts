import type { FindingState } from '../contract/cluster-report.ts'
import type { Finding, FindingSeverity } from '../contract/scan-finding.ts'
import type { ClusterNames } from './cluster-names.ts'
import { rankFor } from './finding-index.ts'
import { withoutOwnHashes } from './fingerprint.ts'
import { stableResource } from './stable-name.ts'
import { stableText, stableValue } from './stable-text.ts'

/** Words that describe a state rather than name an object; in lower case. */
const stateWords = new Set(
  [
    'true false yes no on off null none nil unset undefined unknown not set defaults default to missing enabled disabled',
    'present absent allowed denied and or root nonroot privileged baseline restricted unused used bound unbound released',
    'lost pending running failed succeeded completed terminating evicted stuck ready notready healthy unhealthy normal ok',
    'info low medium warning high error critical crashloopbackoff imagepullbackoff errimagepull oomkilled empty',
  ].flatMap((line) => line.split(' ')),
)
/** The word after one of these is a name. */
const kindWords = new Set(
  'container containers initcontainer volume volumes secret secrets configmap image images host hosts path paths user group role binding serviceaccount account env variable key service webhook ingress class pod node job via'.split(
    ' ',
  ),
)
/** Matches only from the first letter of a word, so that time is linear in the length of the text. */
const flag = /(?<=(?<![\w.])[\d_.]*)([A-Za-z][\w.]*)\s*[:=]\s*(?:(true|false)(?=\s*(?:,|$))|(?=,|$))/gi

export interface FindingSubject {
  names: Set<string>
  /** The words of the message that are neither names nor states. */
  prose: Set<string>
}

/** Key of check, namespace and resource. */
export const placeFor = (finding: Finding, names?: ClusterNames): string =>
  `${finding.check_id}\n${finding.namespace ?? ''}\n${toTemplate(finding, names)}`

const toTemplate = ({ namespace, resource }: Finding, names?: ClusterNames): string =>
  resource === null ? '' : (names?.resource(namespace, resource) ?? stableResource(resource))

/**
 * The subject of a finding at its place, without its state: two findings with the same subject and different texts are one
 * finding that changed. Paths, ports, hosts, images, volumes, quoted names and container names belong to the subject;
 * states, flags and amounts do not.
 */
export function toSubject(finding: Finding, names?: ClusterNames): FindingSubject {
  const template = toTemplate(finding, names)
  const own = (text: string) => {
    const known = withoutOwnHashes(text, finding.resource, template)
    return names?.text(known) ?? known
  }
  const message = stableText(own(finding.message))
  const value = finding.value === null ? '' : stableValue(own(finding.value))
  return {
    names: new Set([...namesInMessage(message), ...namesInValue(value)]),
    prose: formatProse(message),
  }
}

function formatProse(text: string): Set<string> {
  const words =
    withoutFlags(text)
      .toLowerCase()
      .match(/\p{L}[\p{L}\d_.-]*/gu) ?? []
  return new Set(words.filter((word) => !stateWords.has(word)))
}

function namesInMessage(text: string): string[] {
  const names: string[] = []
  let previous = ''
  for (const word of withoutFlags(text).split(/[\s,;()]+/)) {
    const bare = trimEnd(word.replace(/^["'`]+/, ''), '"\'`.:')
    const isQuoted = bare !== word && /^["'`]/.test(word)
    if (
      bare !== '' &&
      (isQuoted || isTelling(bare) || (kindWords.has(previous) && !stateWords.has(bare.toLowerCase())))
    )
      names.push(bare)
    previous = bare.toLowerCase()
  }
  return names
}

/** In a value, lower-case words are names too. */
function namesInValue(text: string): string[] {
  return withoutFlags(text)
    .split(/[\s,;()]+/)
    .map((word) => trimEnd(word.replace(/^["'`<]+/, ''), '"\'`>.:'))
    .filter((word) => isTelling(word) || (/^[a-z][a-z0-9-]*$/.test(word) && !stateWords.has(word)))
}

/** Removes these characters from the end. A regular expression would take quadratic time. */
function trimEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

const withoutFlags = (text: string): string => text.replace(flag, ' ')

/** Whether a word is a name: a path, host, image or variable, or anything with digits that is not an amount. */
function isTelling(word: string): boolean {
  return /[/:@_]|[a-z]\.[a-z]|\d/i.test(word) && !/^[#\d]+(?:\/[#\d]+)*$/.test(word) ? true : /^\d+$/.test(word)
}

/** Severity of a row, by a word or symbol in it. */
const levels: [pattern: RegExp, level: FindingSeverity][] = [
  [/\bcritical\b|\u{1F534}|\u274C/iu, 'critical'],
  [/\b(?:error|high)\b/i, 'high'],
  [/\b(?:warning|medium)\b|\u{1F7E1}|\u26A0/iu, 'medium'],
  [/\b(?:info|low)\b/i, 'low'],
  [/\b(?:normal|healthy|ok)\b|\u2705|\u{1F7E2}/iu, 'info'],
]
/** Flags that should be true; all others should be false. */
const goodFlags = new Set(['runasnonroot', 'readonlyrootfilesystem'])
/** Flags that are true by default. */
const trueByDefault = new Set(['allowprivilegeescalation', 'automountserviceaccounttoken'])

/** Values that say the same: what is not set has its default, and the user root has the number 0. */
function meaningOf(value: string | null): string {
  const text = (value ?? '').trim().toLowerCase()
  const meant = /^not set \(defaults to (.+)\)$/.exec(text)?.[1] ?? text
  return /^(?:|0|root|unset|not set|undefined|null|none|<none>)$/.test(meant) ? 'unset' : meant
}

/** Whether the second state is worse: a higher level, a flag with a bad value, or a longer list. */
export function isWorse(from: FindingState, to: FindingState): boolean {
  if (from.message === to.message && meaningOf(from.value) === meaningOf(to.value)) return false
  const [levelBefore, levelAfter] = [toLevel(from), toLevel(to)]
  if (levelBefore && levelAfter && levelAfter !== levelBefore) return rankFor(levelAfter) < rankFor(levelBefore)
  const [flagsBefore, flagsAfter] = [toFlags(toText(from)), toFlags(toText(to))]
  for (const [name, isBad] of flagsAfter) if (isBad && flagsBefore.get(name) === false) return true
  if (flagsAfter.size > 0) return false
  // All earlier words are still there, and more: two probes are missing instead of one.
  const [before, after] = [formatWords(from), formatWords(to)]
  return after.size > before.size && before.isSubsetOf(after)
}

const toText = ({ message, value }: FindingState): string => `${message}\n${value ?? ''}`

/** The severity of a row, from a word or symbol. */
export function toLevel(state: FindingState): FindingSeverity | undefined {
  return levels.find(([pattern]) => pattern.test(toText(state)))?.[1]
}

/** Flag → whether its value is bad. */
function toFlags(text: string): Map<string, boolean> {
  const flags = new Map<string, boolean>()
  for (const [, name, written = ''] of text.matchAll(flag)) {
    const key = name!.toLowerCase()
    const isOn = written === '' ? trueByDefault.has(key) : written.toLowerCase() === 'true'
    flags.set(key, goodFlags.has(key) ? !isOn : isOn)
  }
  return flags
}

/** The words of the texts without amounts: `cpuLimit=500m` is the same as `cpuLimit=`. */
const formatWords = ({ message, value }: FindingState): Set<string> =>
  new Set(
    `${message} ${value ?? ''}`
      .replace(/(?<![\w.])\d+(?:\.\d+)?[A-Za-z%]{0,2}(?![\w.])|[#\d]+/g, '')
      .match(/[\p{L}][\w.-]*/gu) ?? [],
  )
