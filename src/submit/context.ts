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

/** Provided by the caller: a command, an agent or a test. Nothing here knows a terminal. */
export interface SubmitContext {
  client: Client
  /** The server that the client calls; undefined for the store on this machine. */
  server: SpoolServer | undefined
  /** Takes uploads that the server cannot take now; undefined where there is no server. */
  spool: Spool | undefined
  env: Env
  /** Unix seconds. */
  now: () => number
  /** Called with each step as it begins, and with undefined when it has ended. */
  onProgress: (step: SubmitStep | undefined) => void
  /** One sentence a call, without control over its characters: a server or a scanner may have written it. */
  onWarning: (text: string) => void
}

/** Reports the step while the work runs, however it ends. */
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
