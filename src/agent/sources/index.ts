import * as z from 'zod/mini'
import { ReltError } from '../../errors.ts'
import { collect } from './collect.ts'
import { metrics } from './metrics.ts'
import { profile } from './profile.ts'
import type { JobSource } from './source.ts'
import { watch } from './watch.ts'

/** The table of sources, by key in `agent.yaml`. A job has exactly one of these keys. */
export const sources = { profile, watch, collect, metrics }

type Sources = typeof sources
export type SourceName = keyof Sources
type ValueOf<S> = S extends JobSource<infer T> ? T : never

export const sourceNames = Object.keys(sources) as SourceName[]

/** The keys of all sources, for the schema of a job. */
export const sourceShape = Object.fromEntries(
  sourceNames.map((name) => [name, z.optional<z.ZodMiniType>(sources[name].schema)]),
) as { [N in SourceName]: z.ZodMiniOptional<z.ZodMiniType<ValueOf<Sources[N]>>> }

/** Sources in a job of the file. */
export type JobSources = { [N in SourceName]?: ValueOf<Sources[N]> | undefined }

/** The source of a job, and the job's value for it. */
export function sourceFor(job: JobSources) {
  const name = sourceNames.find((name) => job[name] !== undefined)
  if (name === undefined) throw new ReltError('internal', 'A job has no source.')
  return { source: sources[name] as JobSource<unknown>, from: job[name] }
}

/** The error for starting a job that runs continuously. */
export const cannotStart = ({ name }: { name: string }) =>
  new ReltError('usage', `The job ${name} takes reports as they come and cannot be started.`)
