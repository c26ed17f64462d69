import type { Cli } from '../../program/command.ts'

/** The store whose catalog was changed, in words. */
export async function placeFor({ context }: Cli): Promise<string> {
  const server = await context.server()
  return server ? `on ${server.name ?? server.url}` : 'in the store on this machine'
}
