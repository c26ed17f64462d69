import type { Context } from '../../context.ts'
import { ReltError } from '../../errors.ts'

/** For what is done to files of this machine: nobody is to take them for those of a server. Throws `usage` where one is chosen. */
export async function requireOwnStore(context: Context): Promise<void> {
  const server = await context.server()
  if (!server) return
  throw new ReltError(
    'usage',
    `This command uses the store on this machine, but the server ${server.name ?? server.url} is selected.`,
    { hint: 'Add --local, or --data FOLDER for another store.' },
  )
}
