import type { Cli } from '../command.ts'

/** Where the catalog is that was changed. */
export async function placeOf({ context }: Cli): Promise<string> {
  const server = await context.server()
  return server ? `on ${server.name ?? server.url}` : 'in the store on this machine'
}
