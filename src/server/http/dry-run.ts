import type { RouteName } from '../../contract/routes.ts'
import { ReltError } from '../../errors.ts'
import { invoke, type Request, type Service } from '../app.ts'

class Reached extends Error {}

const stop = () => {
  throw new Reached()
}

/** A store that stops whoever touches it. */
const untouchable = new Proxy({}, { get: stop, has: stop }) as Service['db']

/** Checks a call without doing it: what gets as far as the store has passed. Throws what the call would throw. */
export async function dryRun(service: Service, name: RouteName, request: Request): Promise<void> {
  const stopped: Service = { ...service, db: untouchable, vault: async () => stop() }
  try {
    await invoke(stopped, name, request)
  } catch (error) {
    if (!(error instanceof Reached)) throw error
  }
}

/** Throws when this user may not call the route at all; what is sent along does not matter yet. */
export async function requireAccess(service: Service, name: RouteName, user: Request['user']): Promise<void> {
  try {
    await dryRun(service, name, { user })
  } catch (error) {
    if (error instanceof ReltError && (error.code === 'unauthenticated' || error.code === 'forbidden')) throw error
  }
}
