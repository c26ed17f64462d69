import type * as z from 'zod/mini'
import type { Db } from '../../db/open.ts'
import type { Occurrence, OccurrenceEnd } from '../../store/fleet/agent-occurrence.ts'
import type { Clock } from '../clock.ts'
import type { JobOptions } from '../job.ts'
import type { Connection, PerformContext } from '../perform.ts'
import type { RbacRule } from '../units/rbac.ts'

/** Where a job gets its reports. `T` is the value of its key in `agent.yaml`. */
export type JobSource<T> = ScheduledSource<T> | WatchedSource<T>

interface SourceFacts<T> {
  schema: z.ZodMiniType<T>
  /** The reports do not name their cluster. */
  needsCluster: boolean
  /** Permissions that it needs in the cluster. */
  access: (from: T) => RbacRule[]
  /** The cluster of its reports, unless the job names one. */
  placeFor: (
    from: T,
    context: Pick<PerformContext, 'env'> & { connection: Connection } & Pick<JobOptions, 'context'>,
  ) => Promise<ReportPlace>
}

export interface ReportPlace {
  cluster?: string | undefined
  environment?: string | undefined
}

/** Runs on a schedule. */
export interface ScheduledSource<T> extends SourceFacts<T> {
  kind: 'scheduled'
  run: (context: PerformContext, work: ScheduledWork<T>) => Promise<OccurrenceEnd>
}

export interface ScheduledWork<T> {
  job: JobOptions
  from: T
  occurrence: Occurrence
  signal: AbortSignal
}

/** Runs continuously, and takes reports as they arrive. */
export interface WatchedSource<T> extends SourceFacts<T> {
  kind: 'watched'
  run: (context: WatchContext, work: WatchWork<T>) => Promise<void>
}

export interface WatchContext extends PerformContext {
  db: Db
  clock: Clock
  onFile: (name: string, end: OccurrenceEnd) => void
  /** The source or the server is currently unusable. */
  onError: (error: Error) => void
}

export interface WatchWork<T> {
  job: JobOptions
  from: T
  signal: AbortSignal
  /** Returns as soon as no waiting report can be taken. */
  once: boolean
}
