import { ReltError } from '../../../errors.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import type { ConfirmAccess } from '../../../submit/require-access.ts'
import type { Io } from '../../output/io.ts'

/** Asks at a terminal; undefined without one. */
export function confirmAccess(io: Io): ConfirmAccess | undefined {
  if (!io.isInteractive) return undefined
  return async ({ name }, url, { env, hosts, contexts }) => {
    const lines = [
      `The profile ${name} of ${url} lets the scanner use:`,
      ...env.map((each) => `  the environment variable ${each}`),
      ...hosts.map((each) => `  the host ${each}`),
      ...contexts.map((each) => `  the Kubernetes context ${each}`),
    ]
    io.err(`${lines.map(plain).join('\n')}\n`)
    const { confirm } = await import('@inquirer/prompts')
    const message = 'Allow profiles of this server to use it from now on?'
    if (!(await confirm({ message, default: false }, io.questions))) throw new ReltError('cancelled', 'Cancelled.')
  }
}
