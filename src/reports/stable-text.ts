import { templateHash } from './generated-name.ts'
import { stableMachines, stableName } from './stable-name.ts'

// Numbers that identify: ports, networks, exit codes, HTTP statuses. These patterns come first, so that others do not remove
// them.
const identifying = [
  /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}\/\d{1,2}\b/, // a network
  /(?<![\w.])(?:0\.0\.0\.0|127\.0\.0\.1|169\.254\.169\.254)(?![\w.])/, // an address that is the same everywhere
  /\b\d{1,5}\/(?:TCP|UDP|SCTP)\b/i,
  /(?<=[Pp]orts?\W{1,4}(?:\d{1,5}(?:, ?| and | or |-)){0,8})\d{1,5}(?![\w.%/])/,
  /(?<=(?:\d\.\d{1,3}|\]|(?:\/\/|\.)[a-z0-9-]{1,63}):)\d{1,5}(?![\w.])/, // a port behind a host
  /(?<=[Ee]xit(?:ed)?(?: with)?(?: code| status| Code)?\W{1,3})\d{1,3}(?![\w./%])/,
  /(?<=[Cc]odes?\W{1,3})\d{1,3}(?![\w./%])/,
  /(?<=(?:HTTP(?:\/\d(?:\.\d)?)?|[Ss]tatus|returned)\W{1,3})[1-5]\d\d(?![\w./%])/,
  /\b[45]\d\d(?= (?:Bad|Unauthorized|Forbidden|Not|Internal|Service|Gateway|Too|Conflict)\b)/,
]
const volatile = [
  /(?<![\w-])\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/, // a time
  /(?<![\w-])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])/, // an address
  /\[[0-9a-f.]*:[0-9a-f:.]*\]/, // an address of IPv6
  /(?<=[a-z0-9]):(?:v\d|\d+\.\d)[\w.-]*/, // a tag
  /(?<=\bsha256):(?:#|[0-9a-f]{12,64}\b)/,
  /(?<![\w.-])(?:\d+(?:\.\d+)?(?:ms|us|ns|[smhdwy]))+(?![\w-])/, // a duration
  /(?<![\w.,-])\d+(?:[.,]\d+)*(?:\s?(?:%|m|mC|[kKMGTP]i?B?|B|bytes))?(?![\w-])/, // a count or an amount
]
const source = (parts: RegExp[]) => parts.map((part) => part.source).join('|')
const numbers = new RegExp(`(?=[\\d:[])(?:(${source(identifying)})|${source(volatile)})`, 'g')
const volatileNumbers = new RegExp(`(?=[\\d:[])(?:${source(volatile)})`, 'g')
/** A fast test that every text with an identifying number passes. */
const mayIdentify = /[Pp]orts?\W|[Cc]odes?\W|xit|tatus\W|HTTP|returned|\d\/|:\d|0\.0|169\.|127\.|\b[45]\d\d [A-Z]/
/** Id of a container. */
const longId = /\b[0-9a-f]{64}\b/g

/** Removes times, durations, counts, amounts, addresses, tags and digests. */
function stableNumbers(text: string): string {
  const short = text.length < 64 ? text : text.replace(longId, '#')
  if (!/\d/.test(short)) return short
  if (!mayIdentify.test(short)) return short.replace(volatileNumbers, '#')
  return short.replace(numbers, (_, identifying: string | undefined) => identifying ?? '#')
}

const uuid = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g
/** A fast test that every uuid passes. */
const uuidMiddle = /-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-/

const podHashes = new RegExp(`(?<=[a-z0-9])-${templateHash}-[a-z0-9]{5}(?![A-Za-z0-9-])`, 'g')
const tokenVolume = /\bkube-api-access-[a-z0-9]{5}\b/g
const kinds = /[Pp]od|[Jj]ob|eplica/
const named = /(?<=\b(pod|job|replicaset)s?[\s:/"'=]{1,3})[a-z0-9][a-z0-9.-]{0,252}/gi

/** Removes generated parts from names of pods, jobs and nodes, if the text states their kind. */
function stableNames(text: string): string {
  if (!text.includes('-')) return text
  const machines = stableMachines(text)
  const known = kinds.test(machines)
    ? machines.replace(named, (name: string, kind: string) => stableName(kind.toLowerCase(), name))
    : machines
  return known.replace(podHashes, '').replace(tokenVolume, 'kube-api-access')
}

/** Removes the parts of a message that change by a rollout or over time. */
export function stableText(message: string): string {
  const names = stableNames(message)
  return stableNumbers(uuidMiddle.test(names) ? names.replace(uuid, '#') : names)
}

/** `User/1234`, `Group/system:masters`, `ServiceAccount/ci/deployer`. */
const subject = /^(?:User|Group|ServiceAccount)\/\S+$/
const digestPart = '(?:@sha256:[0-9a-f]{64})?$'
const imageOfRegistry = new RegExp(
  `^([a-z0-9][a-z0-9._-]*(?::\\d+)?/[a-z0-9._/-]+)(?::(?=[\\w.-]*\\d|latest\\b)[\\w.-]{1,128})?${digestPart}`,
)
/** Without a registry, only a version counts as a tag: `system:node` has none. */
const shortImage = new RegExp(`^([a-z0-9][a-z0-9._-]*)(?::(?:v?\\d[\\w.-]{0,127}|latest))?${digestPart}`)

/** Like `stableText`, but keeps subjects and reduces an image to its repository. */
export function stableValue(value: string): string {
  if (subject.test(value)) return value
  const image = value.includes(':') ? (imageOfRegistry.exec(value) ?? shortImage.exec(value)) : null
  return image ? image[1]! : stableNumbers(stableNames(value))
}
