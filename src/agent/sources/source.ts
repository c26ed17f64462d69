import type * as z from 'zod/mini'
import type { Db } from '../../db/open.ts'
import type { Occurrence, OccurrenceEnd } from '../../store/fleet/agent-occurrence.ts'
import type { Clock } from '../clock.ts'
import type { JobOptions } from '../job.ts'
import type { Connection, PerformContext } from '../perform.ts'
import type { RbacRule } from '../units/rbac.ts'

/** Where a job takes its reports from. `T` is the value of its key in `agent.yaml`. */
export type JobSource<T> = ScheduledSource<T> | WatchedSource<T>

interface SourceFacts<T> {
  schema: z.ZodMiniType<T>
  /** Its reports do not say where they are from. */
  needsCluster: boolean
  /** What it reads in the cluster. */
  access: (from: T) => RbacRule[]
  /** Files and folders of the machine that it uses. */
  paths: (from: T) => string[]
  /** Where its reports belong, unless the job says. */
  placeFor: (
    from: T,
    context: Pick<PerformContext, 'env'> & { connection: Connection } & Pick<JobOptions, 'context'>,
  ) => Promise<ReportPlace>
}

export interface ReportPlace {
  cluster?: string | undefined
  environment?: string | undefined
}

/** Runs at the times of a schedule. */
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

/** Runs as long as the agent does, and takes reports as they come. */
export interface WatchedSource<T> extends SourceFacts<T> {
  kind: 'watched'
  run: (context: WatchContext, work: WatchWork<T>) => Promise<void>
}

export interface WatchContext extends PerformContext {
  db: Db
  clock: Clock
  onFile: (name: string, end: OccurrenceEnd) => void
  /** The source or the server cannot be used now. */
  onError: (error: Error) => void
}

export interface WatchWork<T> {
  job: JobOptions
  from: T
  signal: AbortSignal
  /** Returns as soon as nothing waits that can be taken. */
  once: boolean
}
