import type { Context } from '../../context.ts'
import { ReltError } from '../../errors.ts'

/** For commands on files of this machine. Throws `usage` if a server is selected, to avoid confusion between the two. */
export async function requireOwnStore(context: Context) {
  const server = await context.server()
  if (!server) return
  throw new ReltError(
    'usage',
    `This command uses the store on this machine, but the server ${server.name ?? server.url} is selected.`,
    { hint: 'Add --local, or --data FOLDER for another store.' },
  )
}
