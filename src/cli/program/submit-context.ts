import type { SubmitContext } from '../../submit/context.ts'
import { warn } from '../output/say.ts'
import { showSteps } from '../output/steps.ts'
import type { Cli } from './command.ts'

/** Context for `src/submit/`. Opens the client. */
export async function openSubmitContext(cli: Cli): Promise<SubmitContext> {
  const { context } = cli
  const server = await context.server()
  const client = await context.client()
  const spool = server && (await import('../commands/spool/open.ts')).openSpool(cli)
  return { client, server, spool, ...localSubmitContext(cli) }
}

/** The part of the context that needs no client. */
export function localSubmitContext({ context, io }: Cli): Omit<SubmitContext, 'client' | 'server' | 'spool'> {
  const { env, now } = context
  return { env, now, onProgress: showSteps(io).onProgress, onWarning: (text) => warn(io, text) }
}
