import type { Client } from '../client/client.ts'
import type { Env } from '../config/env.ts'
import type { SpoolServer } from '../spool/entry-file.ts'
import type { Spool } from '../spool/spool.ts'

/** A step that can take long enough to be shown. */
export type SubmitStep =
  | { name: 'scan'; cluster: string; runner: string }
  | { name: 'inventory' }
  | { name: 'collect'; from: string }
  | { name: 'read' }
  | { name: 'store'; bytes: number }
  | { name: 'send'; number: number; total: number }
  | { name: 'judge' }

/** Provided by the caller: a command, an agent or a test. Does not depend on a terminal. */
export interface SubmitContext {
  client: Client
  /** The client's server; undefined for the local store. */
  server: SpoolServer | undefined
  /** Queues uploads while the server is unavailable; undefined without a server. */
  spool: Spool | undefined
  env: Env
  /** Unix seconds. */
  now: () => number
  /** Called at the start of each step, and with undefined at its end. */
  onProgress: (step: SubmitStep | undefined) => void
  /** Called with one sentence, which may contain control characters from a server or scanner. */
  onWarning: (text: string) => void
}

/** Reports the step while the work runs, whatever its outcome. */
export async function during<T>(
  { onProgress }: Pick<SubmitContext, 'onProgress'>,
  step: SubmitStep,
  work: () => Promise<T>,
): Promise<T> {
  onProgress(step)
  try {
    return await work()
  } finally {
    onProgress(undefined)
  }
}
