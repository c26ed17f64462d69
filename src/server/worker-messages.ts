import type { Env } from '../config/env.ts'
import type { Plans } from '../config/plans.ts'
import type { RouteName } from '../contract/routes.ts'
import type { ReltError } from '../errors.ts'
import type { Query, Viewer } from '../html/pages/view.ts'
import type { ToolArguments } from '../mcp/tool.ts'
import type { PulledCatalog } from '../operations/catalog/pull.ts'
import type { SyncResult } from '../operations/catalog/run-sync.ts'
import type { DataKeys } from '../operations/keys/vault.ts'
import type { SentCounts } from '../operations/notifications/deliver.ts'
import type { RemovedCounts } from '../operations/store-care/retention.ts'
import type { Request } from '../service/handler.ts'
import type { FoundFeed } from '../store/notifications/feed.ts'

/** Options for opening the store in a worker. */
export interface WorkerStore {
  env: Env
  folder: string
  patienceMs: number
  /** Data keys, since the master key may have been rotated after the server started. */
  keys?: DataKeys
}

/** A call of a heavy route. */
export interface RouteJob {
  name: RouteName
  request: Request
  /** Raw body of an upload, instead of the request's parsed body and report. */
  upload?: Uint8Array
}

/** The caller and the options of the request. */
type Asking = Pick<Request, 'user' | 'team' | 'requestId' | 'server'>

/** A tool call of the Model Context Protocol. */
interface ToolJob {
  tool: string
  args: ToolArguments
  asking: Asking
}

/** A page for a signed-in user, or one of its tables. */
export interface PageJob {
  /** Key in the table of pages. */
  page: string
  /** Path in the URL. */
  path: string
  params: Query
  query: Query
  asking: Asking
  viewer: Viewer
  /** Format of a download, instead of the page. */
  format: string | undefined
  table: string | undefined
  /** Confirmation of a form, see `html/pages/done.ts`. */
  done: string | undefined
}

/** A feed to render. */
export interface FeedJob {
  feed: FoundFeed
  /** Origin of the server. */
  origin: string
}

export type HeavyJob = RouteJob | FeedJob | ToolJob | PageJob

export type WorkerJob = HeavyJob & {
  /** Unix seconds. */
  now: number
  /** Current plans: a reload may have changed them. */
  plans: Plans
  environments?: string | undefined
}

/** Form of a rendered page; for a redirect, the text is the URL. */
export type PageForm = 'html' | 'json' | 'csv' | 'redirect'

/** An answer of a route or tool as JSON, or the text of a feed or page, in UTF-8. */
export interface WorkerAnswer {
  bytes: Uint8Array<ArrayBuffer>
  isDuplicate: boolean
  /** Set for a page. */
  form?: PageForm
}

/** A worker's message for each job. An error is sent as its properties, because cloning loses its class. */
export type WorkerResult = ({ answer: WorkerAnswer } | { error: ConstructorParameters<typeof ReltError> }) & {
  /** CPU time of the thread since its start. */
  totalCpuMs: number
}

/** Argument that starts the program as a worker; `main.ts` checks it. */
export const workerArgument = '--relt-worker'

/** Result types by task. */
export interface TaskResults {
  /** Number of clusters with new figures. */
  clusters: number
  retention: RemovedCounts
  'catalog sync': SyncResult
  'catalog pull': PulledCatalog
  /** Runs until it is stopped. */
  delivery: SentCounts
}
export type TaskName = keyof TaskResults

export interface WorkerTask {
  name: TaskName
  /** Unix seconds. */
  now: number
}
