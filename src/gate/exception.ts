import type { ReceivedFinding } from '../contract/received/cluster-report.ts'
import { globMatcher } from '../util/glob.ts'
import { remember } from '../util/remember.ts'
import { type EntryUse, type EntryUses, type MetEntry, usesOf } from './entry-uses.ts'
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

export type ExceptionUse = EntryUse<Exception>
export type ExceptionUses = EntryUses<Exception>

/** Divides what violates a rule: what no exception covers, and the number of the rest by the origin of its exception. */
export function divideExcepted<T>(all: readonly T[], exceptionFor: (one: T) => Exception | undefined) {
  const exceptedBy: ExceptionCounts = { file: 0, server: 0 }
  const counting = all.filter((one) => {
    const exception = exceptionFor(one)
    if (exception) addExcepted(exceptedBy, exception)
    return !exception
  })
  return { counting, exceptedBy }
}

export interface ArtifactSubject {
  artifact_key: string | null
  namespace: string | null
}

interface CompiledException extends MetEntry<Exception> {
  meets: Record<'check' | 'namespace' | 'resource' | 'artifact', (text: string) => boolean>
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
    this.#byFingerprint = Map.groupBy(fingerprint, ({ entry }) => entry.fingerprint)
    this.#artifacts = artifact
    this.#advisories = advisory
    this.#patterns = pattern
  }

  /** The exception that lets the finding pass; all matching ones count as used. */
  forFinding(finding: ReceivedFinding): Exception | undefined {
    if (this.#all.length === 0) return undefined
    const { fingerprint, resource } = finding
    const key = fingerprint ?? finding
    const byPattern = this.#at(finding).filter(({ meets }) => meets.resource(resource ?? ''))
    return use([...(this.#byFingerprint.get(fingerprint ?? '') ?? []), ...byPattern], key)
  }

  forArtifact({ artifact_key, namespace }: ArtifactSubject): Exception | undefined {
    const met = this.#artifacts.filter(
      ({ meets }) => meets.artifact(artifact_key ?? '') && meets.namespace(namespace ?? ''),
    )
    return use(met, artifact_key)
  }

  /** An exception for the whole artifact counts as well. */
  forAdvisory(subject: ArtifactSubject, { id, aliases }: { id: string; aliases: string[] }): Exception | undefined {
    const ids = [id, ...aliases].map((each) => each.toUpperCase())
    const ofArtifact = this.forArtifact(subject)
    const met = this.#advisories.filter(
      ({ entry, meets }) =>
        ids.includes(entry.advisory?.toUpperCase() ?? '') &&
        meets.artifact(subject.artifact_key ?? '') &&
        meets.namespace(subject.namespace ?? ''),
    )
    return use(met, `${id} ${subject.artifact_key}`) ?? ofArtifact
  }

  /** For a scanner's finding of an advisory, with an exception for the advisory in all places. */
  forVulnerability({ check_id, namespace, fingerprint }: ReceivedFinding): Exception | undefined {
    const met = this.#advisories.filter(
      ({ entry: { advisory, artifact }, meets }) =>
        artifact === undefined &&
        advisory?.toUpperCase() === check_id?.toUpperCase() &&
        meets.namespace(namespace ?? ''),
    )
    return use(met, fingerprint)
  }

  uses(): ExceptionUses {
    return usesOf(this.#all)
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

/** The last of these exceptions that has not expired; all count as used. */
function use(all: CompiledException[], what: unknown): Exception | undefined {
  for (const { met } of all) met.add(what)
  return all.findLast(({ isExpired }) => !isExpired)?.entry
}

function compile(exception: Exception, today: string): CompiledException {
  const { check = '*', namespace = '*', resource = '*', artifact = '*', expires } = exception
  return {
    entry: exception,
    isExpired: exception.ended === true || expires < today,
    meets: {
      check: globMatcher(check),
      namespace: globMatcher(namespace),
      resource: globMatcher(resource),
      artifact: globMatcher(artifact),
    },
    met: new Set(),
  }
}

function toKind({ entry }: CompiledException) {
  if (entry.advisory !== undefined) return 'advisory'
  if (entry.fingerprint !== undefined) return 'fingerprint'
  return entry.artifact === undefined ? 'pattern' : 'artifact'
}
