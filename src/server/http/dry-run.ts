import type { RouteName } from '../../contract/routes.ts'
import type { Request } from '../../service/handler.ts'
import { invoke } from '../../service/invoke.ts'
import type { Service } from '../../service/service.ts'

class Reached extends Error {}

const stop = () => {
  throw new Reached()
}

/** A store that throws on any access. */
const untouchable = new Proxy({}, { get: stop, has: stop }) as Service['db']

/** Checks a call without doing it: what gets as far as the store has passed. Throws what the call would throw. */
export async function dryRun(service: Service, name: RouteName, request: Request): Promise<void> {
  const stopped: Service = { ...service, db: untouchable, vault: async () => stop() }
  try {
    await invoke(stopped, name, request, service)
  } catch (error) {
    if (!(error instanceof Reached)) throw error
  }
}
