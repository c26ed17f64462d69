import type { ReceivedFinding } from '../contract/received/cluster-report.ts'
import { globMatcher } from '../util/glob.ts'
import type { VexJustification } from './vex-justification.ts'

/** An exception for one finding, or for all that match a pattern. */
export interface Exception {
  fingerprint?: string
  /** Patterns, in which `*` matches any text; an omitted one matches everything. */
  check?: string
  namespace?: string
  resource?: string
  /** Matches artifacts instead of findings, by their key: `docker.io/library/nginx:1.27.3`. */
  artifact?: string
  /** Matches one advisory, by any of its ids, on artifacts of `artifact` and `namespace`. */
  advisory?: string
  /** Why the advisory does not affect what runs, as an OpenVEX justification. */
  justification?: VexJustification
  reason: string
  /** `YYYY-MM-DD`: the last day (UTC) on which it applies. */
  expires: string
  /** Name of a project whose next release ends it earlier. */
  next_release_of?: string
  /** Describes the finding of a fingerprint, if the server knows it. */
  finding?: string
  /** A user ended it before that day. */
  ended?: boolean
  /** Its location: `relt.yaml:12`, or `exc_2b7f by ada` for one stored on the server. */
  source: string
  /** Absent for the policy file. */
  origin?: 'server'
  /** Applies only to runs of this cluster, or of this environment. */
  cluster?: string
  environment?: string
}

/** Number of findings, artifacts or advisories that the exceptions of each origin cover. */
export interface ExceptionCounts {
  file: number
  server: number
}

export function addExcepted(sum: ExceptionCounts, { origin }: Exception, count = 1): void {
  sum[origin ?? 'file'] += count
}

/** Exceptions that apply to a run: excludes those of other clusters. */
export function exceptionsOfRun(
  exceptions: Exception[],
  run: { cluster_name: string | null; environment: string | null },
): Exception[] {
  return exceptions.filter(
    ({ cluster = run.cluster_name, environment = run.environment }) =>
      cluster === run.cluster_name && environment === run.environment,
  )
}

/** `policy file relt.yaml:12` or `server exc_2b7f by ada`. */
export function sourceText({ origin, source }: Exception): string {
  return `${origin ?? 'policy file'} ${source}`
}

export interface ExceptionUse extends Exception {
  /** How many findings and artifacts that violate a rule it matched; for an expired one, would have matched. */
  matched: number
}

export interface ExceptionUses {
  used: ExceptionUse[]
  unused: ExceptionUse[]
  expired: ExceptionUse[]
}

export interface ArtifactSubject {
  artifact_key: string | null
  namespace: string | null
}

interface CompiledException {
  exception: Exception
  expired: boolean
  meets: Record<'check' | 'namespace' | 'resource' | 'artifact', (text: string) => boolean>
  met: Set<unknown>
}

/** Finds the exceptions that match a finding, and records which were needed. */
export class Exceptions {
  readonly #all: CompiledException[]
  readonly #byFingerprint: Map<string | undefined, CompiledException[]>
  readonly #artifacts: CompiledException[]
  readonly #advisories: CompiledException[]
  readonly #patterns: CompiledException[]
  /** Cache by check and namespace, which findings share: only the resource is matched for each. */
  readonly #byCheck = new Map<string | null, Map<string | null, CompiledException[]>>()
  readonly #byNamespace = new Map<string | null, CompiledException[]>()

  /** `today` is `YYYY-MM-DD`, UTC. */
  constructor(exceptions: Exception[], today: string) {
    this.#all = exceptions.map((exception) => compile(exception, today))
    const { fingerprint = [], artifact = [], advisory = [], pattern = [] } = Object.groupBy(this.#all, toKind)
    this.#byFingerprint = Map.groupBy(fingerprint, ({ exception }) => exception.fingerprint)
    this.#artifacts = artifact
    this.#advisories = advisory
    this.#patterns = pattern
  }

  /** The exception that lets the finding pass; all matching ones count as used. */
  forFinding(finding: ReceivedFinding): Exception | undefined {
    if (this.#all.length === 0) return undefined
    const { fingerprint, earlier_fingerprints = [], resource } = finding
    const key = fingerprint ?? finding
    let found: Exception | undefined
    for (const id of [fingerprint ?? undefined, ...earlier_fingerprints]) {
      for (const each of this.#byFingerprint.get(id) ?? none) found = use(each, key) ?? found
    }
    for (const each of this.#at(finding)) {
      if (each.meets.resource(resource ?? '')) found = use(each, key) ?? found
    }
    return found
  }

  forArtifact({ artifact_key, namespace }: ArtifactSubject): Exception | undefined {
    let found: Exception | undefined
    for (const each of this.#artifacts) {
      const { artifact, namespace: place } = each.meets
      if (artifact(artifact_key ?? '') && place(namespace ?? '')) found = use(each, artifact_key) ?? found
    }
    return found
  }

  /** An exception for the whole artifact counts as well. */
  forAdvisory(subject: ArtifactSubject, { id, aliases }: { id: string; aliases: string[] }): Exception | undefined {
    const ids = [id, ...aliases].map((each) => each.toUpperCase())
    let found = this.forArtifact(subject)
    for (const each of this.#advisories) {
      const { artifact, namespace } = each.meets
      const isMet = ids.includes(each.exception.advisory?.toUpperCase() ?? '')
      if (isMet && artifact(subject.artifact_key ?? '') && namespace(subject.namespace ?? '')) {
        found = use(each, `${id} ${subject.artifact_key}`) ?? found
      }
    }
    return found
  }

  /** For a scanner's finding of an advisory, with an exception for the advisory in all places. */
  forVulnerability({ check_id, namespace, fingerprint }: ReceivedFinding): Exception | undefined {
    let found: Exception | undefined
    for (const each of this.#advisories) {
      const { advisory, artifact } = each.exception
      const isMet = artifact === undefined && advisory?.toUpperCase() === check_id?.toUpperCase()
      if (isMet && each.meets.namespace(namespace ?? '')) found = use(each, fingerprint) ?? found
    }
    return found
  }

  uses(): ExceptionUses {
    const uses = this.#all.map(({ exception, expired, met }) => ({
      group: expired ? ('expired' as const) : met.size > 0 ? ('used' as const) : ('unused' as const),
      use: { ...exception, matched: met.size },
    }))
    const of = (wanted: string) => uses.filter(({ group }) => group === wanted).map(({ use }) => use)
    return { used: of('used'), unused: of('unused'), expired: of('expired') }
  }

  #at({ check_id, namespace }: ReceivedFinding): CompiledException[] {
    const ofCheck = remember(this.#byCheck, check_id, () => new Map<string | null, CompiledException[]>())
    return remember(ofCheck, namespace, () => this.#in(namespace).filter(({ meets }) => meets.check(check_id ?? '')))
  }

  #in(namespace: string | null): CompiledException[] {
    const meeting = () => this.#patterns.filter(({ meets }) => meets.namespace(namespace ?? ''))
    return remember(this.#byNamespace, namespace, meeting)
  }
}

function remember<K, V>(known: Map<K, V>, key: K, find: () => V): V {
  const value = known.get(key)
  if (value !== undefined) return value
  const found = find()
  known.set(key, found)
  return found
}

const none: CompiledException[] = []

function use({ exception, expired, met }: CompiledException, what: unknown): Exception | undefined {
  met.add(what)
  return expired ? undefined : exception
}

function compile(exception: Exception, today: string): CompiledException {
  const { check = '*', namespace = '*', resource = '*', artifact = '*', expires } = exception
  return {
    exception,
    expired: exception.ended === true || expires < today,
    meets: {
      check: globMatcher(check),
      namespace: globMatcher(namespace),
      resource: globMatcher(resource),
      artifact: globMatcher(artifact),
    },
    met: new Set(),
  }
}

function toKind({ exception }: CompiledException): 'fingerprint' | 'advisory' | 'artifact' | 'pattern' {
  if (exception.advisory !== undefined) return 'advisory'
  if (exception.fingerprint !== undefined) return 'fingerprint'
  return exception.artifact === undefined ? 'pattern' : 'artifact'
}
