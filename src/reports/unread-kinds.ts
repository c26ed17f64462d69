import type { ReportCheck } from './check.ts'
import { singular } from './spelling.ts'

/**
 * KubeBuddy's native build reports no findings for some checks whose resources it could not list. Such a check counts as not
 * run if another check's error names its kind, if its kind is the only one of a check that did not run, or, if the API
 * server was unreachable, unless other checks show that the kind was read.
 */
export function withUnreadKinds(checks: ReportCheck[]): ReportCheck[] {
  const unread = new Map<string, string>()
  let outage: string | undefined
  for (const { resourceKind, notRun } of checks) {
    if (notRun === undefined || !isReadError(notRun)) continue
    const named = namedKinds(notRun)
    const [only, ...others] = toKinds(resourceKind)
    const isOwn = only !== undefined && others.length === 0 && !isAboutSecrets(named)
    for (const kind of [...named, ...(isOwn ? [only] : [])]) if (!unread.has(kind)) unread.set(kind, notRun)
    if (saysUnreachable(notRun)) outage ??= notRun
  }
  if (unread.size === 0 && outage === undefined) return checks
  const read = new Set(checks.flatMap(({ failed, resourceKind }) => (failed ? toKinds(resourceKind) : [])))
  return checks.map((check) => {
    if (check.failed || check.notRun !== undefined) return check
    const kinds = toKinds(check.resourceKind)
    const kind = kinds.find((each) => unread.has(each))
    const isShown = kinds.length > 0 && kinds.every((each) => read.has(each))
    const reason = kind === undefined ? (isShown ? undefined : outage) : unread.get(kind)
    return reason === undefined
      ? check
      : { ...check, notRun: `Its resources could not be read: ${reason}`.slice(0, 500) }
  })
}

/**
 * Without access to secrets, as in the agent's role, each check that lists secrets fails, and none reports an empty result
 * instead (KubeBuddy's `internal/scan/native_handlers.go`). A failed check has read its own kind, or did not try to.
 */
const isAboutSecrets = (named: string[]): boolean => named.length > 0 && named.every((kind) => kind === 'secret')

const readErrors =
  /unable to check due to|failed to (?:fetch|list|get|watch)|forbidden|denied|cannot (?:list|get)|could not|error from server|kubectl/i
/** Errors after the resources were read, or from another data source. */
const otherErrors = /unsupported operator|^Script block execution failed|prometheus/i

const isReadError = (reason: string): boolean =>
  (readErrors.test(reason) || saysUnreachable(reason)) && !otherErrors.test(reason)

const saysUnreachable = (reason: string): boolean =>
  /connection refused|connection reset|no such host|no route to host|network is unreachable|dial tcp|i\/o timeout|TLS handshake|deadline exceeded|timed? ?out|\bEOF\b|unable to connect|unauthorized|service unavailable|server is currently unable|internal server error|too many requests/i.test(
    reason,
  )

/** Splits `Role, ClusterRole` or `gateways.gateway.networking.k8s.io`. */
const toKinds = (kinds: string): string[] =>
  kinds
    .split(',')
    .map(toKind)
    .filter((kind) => kind !== '')

/** Normalizes `NetworkPolicy`, `networkpolicies` and `networkpolicies.networking.k8s.io` to one kind. */
const toKind = (name: string): string => singular(name.trim().toLowerCase().split('.')[0]!)

/** How Kubernetes, kubectl and the scanner name a resource that could not be read. */
const namings = [
  /\bresource "([a-z]+)/g,
  /(?:^|[\s:(])([a-z]+)(?:\.[a-z\d.-]+)? is forbidden/g,
  /\bfailed to (?:fetch|list|get|watch) \*?(?:v\d\w*\.)?([a-z]+)\b/gi,
  /\/(?:api\/v1|apis\/[^/\s"?]+\/v\d\w*)\/(?:namespaces\/[^/\s"?]+\/)?([a-z]+)/g,
]

const namedKinds = (reason: string): string[] =>
  namings.flatMap((naming) => [...reason.matchAll(naming)].map(([, name]) => toKind(name!)))
