import * as z from 'zod/mini'
import { JobOptions } from './job.ts'
import { type SourceName, sourceNames, sourceShape, sources } from './sources/index.ts'

/** Schema of `agent.yaml`. */

export const AgentJob = z.strictObject({ ...JobOptions.shape, ...sourceShape }).check(z.superRefine(checkJob))
export type AgentJob = z.infer<typeof AgentJob>

function checkJob(job: Record<string, unknown>, context: z.core.$RefinementCtx) {
  const problem = (path: string[], message: string) =>
    context.issues.push({ code: 'custom', path, message, input: job })
  const [name, ...others] = sourceNames.filter((key) => job[key] !== undefined)
  const times = ['schedule', 'every'].filter((key) => job[key] !== undefined)
  if (name === undefined || others.length > 0) problem([], `one of ${anyOf(sourceNames)} is needed`)
  if (times.length > 1) problem(['every'], 'schedule and every cannot be combined')
  const source = name && sources[name]
  if (source?.kind === 'watched') for (const key of times) problem([key], `${name} needs no schedule`)
  else if (times.length === 0) problem([], 'schedule or every is needed')
  const isPlaced = job.cluster !== undefined || job.context !== undefined
  if (source?.needsCluster && !isPlaced) problem([], `${name} needs cluster or context`)
  if (job.time_zone !== undefined && job.schedule === undefined) problem(['time_zone'], 'time_zone belongs to schedule')
}

const anyOf = (names: SourceName[]) => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

const Spool = z.strictObject({
  max_size_mb: z.optional(z.int().check(z.gte(1), z.lte(1_000_000))),
})

export const AgentConfig = z.strictObject({
  /** Port for `/healthz`, `/readyz` and `/metrics`; disabled by default. */
  health_port: z.optional(z.int().check(z.gte(1), z.lte(65_535))),
  /** Address that the port listens on; `127.0.0.1` by default. */
  health_host: z.optional(z.enum(['127.0.0.1', '0.0.0.0', '::'])),
  /** Limits of the spool. */
  spool: z.optional(Spool),
  jobs: z.array(AgentJob).check(z.minLength(1, { error: 'at least one job is needed' }), z.maxLength(1000)),
})
export type AgentConfig = z.infer<typeof AgentConfig>

/** Known keys of each part, to suggest corrections of misspelled ones. */
export const configKeys = {
  ...(Object.fromEntries(
    sourceNames.map((name) => [
      name,
      sources[name].schema instanceof z.ZodMiniObject ? Object.keys(sources[name].schema.shape) : [],
    ]),
  ) as Record<SourceName, string[]>),
  '': Object.keys(AgentConfig.shape),
  jobs: Object.keys(AgentJob.shape),
  spool: Object.keys(Spool.shape),
}
