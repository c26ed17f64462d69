import type { FoundRelease } from '../catalog/found-release.ts'
import type { SourceKind } from '../contract/source-kind.ts'
import type { Cycle } from '../lifecycle/cycle.ts'
import type { ProjectAdvisory } from '../security/advisory.ts'
import type { CatalogAdvisory } from '../security/catalog-advisory.ts'
import type { NoAnswer } from './http/failure.ts'
import type { Http } from './http.ts'
import type { SourceState } from './source-state.ts'

/** A place where a project publishes releases, advisories or release cycles. */
export interface Source {
  kind: SourceKind
  /** The URL of the git repository, such as `https://github.com/owner/name`; the URL above `index.yaml`; `oci://host/path`, with the charts below it;
   * `https://endoflife.date/product`. */
  url: string
  /** The project's slug, which identifies tags of projects without a pattern. */
  slug: string
  /** Regular expression for tags of the application; group 1 is the version. */
  tagPattern: string | null
  /** Charts of the project; a repository may also have those of others. */
  chartNames: string[]
  /** The project's packages in OSV's ecosystems. */
  packages?: { ecosystem: string; name: string }[]
  credential?: Credential | undefined
}

export interface Credential {
  /** If absent, the secret is a token. */
  username?: string
  secret: string
}

export type CollectOutcome =
  /** All releases read, which may be known already; or all advisories, or all release cycles. */
  | {
      kind: 'changed'
      releases: FoundRelease[]
      /** With those of earlier outcomes, the releases are all that the source has. */
      isWhole?: true
      advisories?: ProjectAdvisory[]
      catalogAdvisories?: CatalogAdvisory[]
      cycles?: Cycle[]
      state: SourceState
    }
  | { kind: 'unchanged'; state: SourceState }
  /** The source answered that it does not exist. */
  | { kind: 'absent'; reason: string }
  /** Unknown: no answer, a broken one, or one from another site. */
  | { kind: 'unreachable'; reason: string; noAnswer?: NoAnswer | undefined; retryAt?: number }
  /** The host asks to wait until this time, unix seconds. */
  | { kind: 'limited'; retryAt: number }

export interface CollectContext {
  http: Http
  /** Unix seconds. */
  now: () => number
  /** Unix seconds: older releases are not needed. */
  since?: number | undefined
}

/** Lives for one sync, so it may cache data that several sources share. */
export interface Collector {
  /** Failures of the source are outcomes; throws only when aborted. */
  collect(source: Source, state: SourceState, context: CollectContext): Promise<CollectOutcome>
}
