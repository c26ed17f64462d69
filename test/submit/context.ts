import type { Client } from '../../src/client/client.ts'
import { Spool } from '../../src/spool/spool.ts'
import type { SubmitContext, SubmitStep } from '../../src/submit/context.ts'
import { temporaryFolder, testNow } from '../helpers/cli.ts'
import { server } from '../spool/entries.ts'

/** A caller of the room that remembers what it heard. */
export function openContext(client: Partial<Client> = {}) {
  const home = temporaryFolder()
  const env = { RELT_HOME: home }
  const warnings: string[] = []
  const steps: (SubmitStep['name'] | 'end')[] = []
  const context = {
    client: { ...unused, ...client },
    server,
    spool: new Spool(env, (text) => void warnings.push(text)),
    env,
    now: () => testNow,
    onProgress: (step: SubmitStep | undefined) => void steps.push(step?.name ?? 'end'),
    onWarning: (text: string) => void warnings.push(text),
  } satisfies SubmitContext
  return { home, context, warnings, steps }
}

const unused: Client = {
  call: () => Promise.reject(new Error('no call is expected')),
  request: () => Promise.reject(new Error('no request is expected')),
  download: () => Promise.reject(new Error('no download is expected')),
  close: async () => {},
}
