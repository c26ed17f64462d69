import type { Env } from '../config/env.ts'
import type { Plans } from '../config/plans.ts'
import type { RouteName } from '../contract/routes.ts'
import type { ReltError } from '../errors.ts'
import type { Query, Viewer } from '../html/pages/view.ts'
import type { ToolArguments } from '../mcp/tool.ts'
import type { SyncResult } from '../operations/catalog/run-sync.ts'
import type { DataKeys } from '../operations/keys/vault.ts'
import type { SentCounts } from '../operations/notifications/deliver.ts'
import type { RemovedCounts } from '../operations/store-care/retention.ts'
import type { Request } from '../service/handler.ts'
import type { FoundFeed } from '../store/notifications/feed.ts'

/** Options with which a worker opens the store. */
export interface WorkerStore {
  env: Env
  folder: string
  patienceMs: number
  /** The master key may have been rotated since the server started; its data keys stay. */
  keys?: DataKeys
}

/** A call of a heavy route. */
export interface RouteJob {
  name: RouteName
  request: Request
  /** Body of an upload as it came, in place of the request's own body and report. */
  upload?: Uint8Array
}

/** Who asks, and how. */
type Asking = Pick<Request, 'user' | 'team' | 'requestId' | 'server'>

/** A tool of the Model Context Protocol. */
interface ToolJob {
  tool: string
  args: ToolArguments
  asking: Asking
}

/** A page for a signed-in user, or one of its tables. */
export interface PageJob {
  /** Its entry in the table of pages. */
  page: string
  /** As the address has it. */
  path: string
  params: Query
  query: Query
  asking: Asking
  viewer: Viewer
  /** A download in place of the page. */
  format: string | undefined
  table: string | undefined
  /** What a form did, see `html/pages/done.ts`. */
  done: string | undefined
}

/** A feed to be rendered. */
export interface FeedJob {
  feed: FoundFeed
  /** Of the server. */
  origin: string
}

export type HeavyJob = RouteJob | FeedJob | ToolJob | PageJob

export type WorkerJob = HeavyJob & {
  /** Unix seconds. */
  now: number
  /** As they are now: a reload may have changed them. */
  plans: Plans
  environments?: string | undefined
}

/** What became of a page; of a redirect, the text is its address. */
export type PageForm = 'html' | 'json' | 'csv' | 'redirect'

/** An answer of a route or tool as JSON, or the text of a feed or page, in UTF-8. */
export interface WorkerAnswer {
  bytes: Uint8Array<ArrayBuffer>
  isDuplicate: boolean
  /** Of a page. */
  form?: PageForm
}

/** A worker's message for each job. An error is sent as its members, because cloning loses its class. */
export type WorkerResult = ({ answer: WorkerAnswer } | { error: ConstructorParameters<typeof ReltError> }) & {
  /** CPU time of the thread since it began. */
  totalCpuMs: number
}

/** Starts the program as a worker, which `main.ts` recognises by this argument. */
export const workerArgument = '--relt-worker'

/** The result of each task. */
export interface TaskResults {
  /** How many runs were indexed again. */
  reindex: number
  /** How many clusters got new figures. */
  clusters: number
  retention: RemovedCounts
  'catalog sync': SyncResult
  /** Runs until it is stopped. */
  delivery: SentCounts
}
export type TaskName = keyof TaskResults

export interface WorkerTask {
  name: TaskName
  /** Unix seconds. */
  now: number
}
