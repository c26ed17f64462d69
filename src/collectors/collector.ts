import type { FoundRelease } from '../catalog/found-release.ts'
import type { Cycle } from '../lifecycle/cycle.ts'
import type { ProjectAdvisory } from '../security/advisory.ts'
import type { CatalogAdvisory } from '../security/catalog-advisory.ts'
import type { NoAnswer } from './http/failure.ts'
import type { Http } from './http.ts'
import type { SourceState } from './source-state.ts'

export type SourceKind = 'github' | 'helm' | 'oci' | 'advisories' | 'osv' | 'eol'

/** A place where releases of one project are published, or its advisories, or its release cycles. */
export interface Source {
  kind: SourceKind
  /** `https://github.com/owner/name`; the address above `index.yaml`; `oci://host/path`, the charts below it;
   * `https://endoflife.date/product`. */
  url: string
  /** The project's slug, which identifies tags of projects without a pattern. */
  slug: string
  /** Regular expression for tags of the application; group 1 is the version. */
  tagPattern: string | null
  /** Charts of the project: a repository can hold those of others, too. */
  chartNames: string[]
  /** The project's packages in the ecosystems of OSV. */
  packages?: { ecosystem: string; name: string }[]
  credential?: Credential | undefined
}

export interface Credential {
  /** Absent: the secret is a token. */
  username?: string
  secret: string
}

export type CollectOutcome =
  /** All releases that were looked at, those known before among them; or all advisories, or all release cycles. */
  | {
      kind: 'changed'
      releases: FoundRelease[]
      advisories?: ProjectAdvisory[]
      catalogAdvisories?: CatalogAdvisory[]
      cycles?: Cycle[]
      state: SourceState
    }
  | { kind: 'unchanged'; state: SourceState }
  /** It answered, and there is no such thing. */
  | { kind: 'absent'; reason: string }
  /** Unknown: no answer, a broken one, or one from another site. */
  | { kind: 'unreachable'; reason: string; noAnswer?: NoAnswer | undefined; retryAt?: number }
  /** Its host asks to wait until then, unix seconds. */
  | { kind: 'limited'; retryAt: number }

export interface CollectContext {
  http: Http
  /** Unix seconds. */
  now: () => number
  /** Unix seconds: older releases need not be looked for. */
  since?: number | undefined
}

/** Lives for one sync: it may keep what several sources share. */
export interface Collector {
  /** Every failure of the source is an outcome; throws only when it is asked to end. */
  collect(source: Source, state: SourceState, context: CollectContext): Promise<CollectOutcome>
}
