import type { Config, KnownServer } from '../../../config/config-file.ts'
import { ReltError } from '../../../errors.ts'

/** The server with this name, or the current one. Throws `not_found`. */
export function getKnownServer({ servers, settings }: Config, wanted: string | undefined): [string, KnownServer] {
  const name = wanted ?? settings.server
  if (name === undefined || (wanted === undefined && name === 'local')) {
    throw new ReltError('not_found', 'You are not signed in to a server.', { hint: 'Sign in: relt auth login URL' })
  }
  const server = servers.get(name)
  if (server) return [name, server]
  const known = [...servers.keys()].join(', ')
  throw new ReltError('not_found', `No server named "${name}".`, {
    hint: known ? `Known servers: ${known}.` : 'Sign in: relt auth login URL',
  })
}
