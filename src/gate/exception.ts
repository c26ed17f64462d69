import type { Finding } from '../contract/cluster-report.ts'
import { globMatcher } from './glob.ts'

/** What the gate lets pass although a rule speaks against it: one finding, or all that a pattern meets. */
export interface Exception {
  fingerprint?: string
  /** Patterns, in which `*` stands for any text; what is left out meets all. */
  check?: string
  namespace?: string
  resource?: string
  /** Meets artifacts instead of findings, by their key: `docker.io/library/nginx:1.27.3`. */
  artifact?: string
  reason: string
  /** `YYYY-MM-DD`: the last day (UTC) on which it excepts. */
  expires: string
  /** Where it stands: `relt.yaml:12`. */
  source: string
}

export interface ExceptionUse extends Exception {
  /** How many findings and artifacts it met that count against a rule; for an expired one, would have met. */
  matched: number
}

export interface ExceptionUses {
  used: ExceptionUse[]
  unused: ExceptionUse[]
  expired: ExceptionUse[]
}

export interface ArtifactSubject {
  artifact_key: string
  namespace: string | null
}

interface Compiled {
  exception: Exception
  expired: boolean
  meets: Record<'check' | 'namespace' | 'resource' | 'artifact', (text: string) => boolean>
  met: Set<string>
}

/** Finds the exceptions that meet a finding, and remembers which of them were needed. */
export class Exceptions {
  readonly #all: Compiled[]
  readonly #byFingerprint: Map<string | undefined, Compiled[]>
  readonly #artifacts: Compiled[]
  readonly #patterns: Compiled[]
  /** Findings share their checks and namespaces: only the resource is looked at for each. */
  readonly #byPlace = new Map<string, Map<string | null, Compiled[]>>()

  /** `today` is `YYYY-MM-DD`, UTC. */
  constructor(exceptions: Exception[], today: string) {
    this.#all = exceptions.map((exception) => compile(exception, today))
    const { fingerprint = [], artifact = [], pattern = [] } = Object.groupBy(this.#all, kindOf)
    this.#byFingerprint = Map.groupBy(fingerprint, ({ exception }) => exception.fingerprint)
    this.#artifacts = artifact
    this.#patterns = pattern
  }

  /** The exception that lets the finding pass; all that meet it count as used. */
  forFinding(finding: Finding): Exception | undefined {
    if (this.#all.length === 0) return undefined
    const byPattern = this.#at(finding).filter(({ meets }) => meets.resource(finding.resource ?? ''))
    const byFingerprint = this.#byFingerprint.get(finding.fingerprint) ?? []
    return use([...byFingerprint, ...byPattern], finding.fingerprint)
  }

  forArtifact({ artifact_key, namespace }: ArtifactSubject): Exception | undefined {
    const meeting = this.#artifacts.filter(
      ({ meets }) => meets.artifact(artifact_key) && meets.namespace(namespace ?? ''),
    )
    return use(meeting, artifact_key)
  }

  uses(): ExceptionUses {
    const uses = this.#all.map(({ exception, expired, met }) => ({
      group: expired ? ('expired' as const) : met.size > 0 ? ('used' as const) : ('unused' as const),
      use: { ...exception, matched: met.size },
    }))
    const of = (wanted: string) => uses.filter(({ group }) => group === wanted).map(({ use }) => use)
    return { used: of('used'), unused: of('unused'), expired: of('expired') }
  }

  #at({ check_id, namespace }: Finding): Compiled[] {
    const ofCheck = this.#byPlace.get(check_id) ?? new Map<string | null, Compiled[]>()
    this.#byPlace.set(check_id, ofCheck)
    const known = ofCheck.get(namespace)
    if (known) return known
    const found = this.#patterns.filter(({ meets }) => meets.check(check_id) && meets.namespace(namespace ?? ''))
    ofCheck.set(namespace, found)
    return found
  }
}

function use(meeting: Compiled[], what: string): Exception | undefined {
  for (const { met } of meeting) met.add(what)
  return meeting.find(({ expired }) => !expired)?.exception
}

function compile(exception: Exception, today: string): Compiled {
  const { check = '*', namespace = '*', resource = '*', artifact = '*', expires } = exception
  return {
    exception,
    expired: expires < today,
    meets: {
      check: globMatcher(check),
      namespace: globMatcher(namespace),
      resource: globMatcher(resource),
      artifact: globMatcher(artifact),
    },
    met: new Set(),
  }
}

function kindOf({ exception }: Compiled): 'fingerprint' | 'artifact' | 'pattern' {
  if (exception.fingerprint !== undefined) return 'fingerprint'
  return exception.artifact === undefined ? 'pattern' : 'artifact'
}
