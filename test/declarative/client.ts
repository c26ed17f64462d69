import type { Client } from '../../src/client/client.ts'
import { concealAnswer } from '../../src/client/conceal-answer.ts'
import { type Applied, applyActions } from '../../src/declarative/apply.ts'
import { readCurrent } from '../../src/declarative/current.ts'
import { type Exported, exportState } from '../../src/declarative/export.ts'
import { makePlan, type Plan } from '../../src/declarative/plan.ts'
import { readWanted } from '../../src/declarative/read-wanted.ts'
import type { Variables } from '../../src/declarative/webhook.ts'
import type { User } from '../../src/store/user.ts'
import type { TestRoutes } from '../service/harness.ts'

interface Options {
  prune?: boolean
  variables?: Variables
}

/** The service as that user's client. */
export function clientOf(routes: TestRoutes, user: User): Client {
  return {
    call: async (name, input) => concealAnswer(name, await routes.as(user, name, input)),
    request: () => Promise.reject(new Error('not used')),
    close: async () => {},
  }
}

export function plan(client: Client, yaml: string, { prune = false, variables = {} }: Options = {}): Promise<Plan> {
  return makePlan(client, readWanted(yaml, 'relt.yaml'), { prune, variables })
}

export async function apply(client: Client, yaml: string, options: Options = {}): Promise<Applied> {
  return applyActions(client, (await plan(client, yaml, options)).actions)
}

export async function exportAll(client: Client): Promise<Exported> {
  const current = await readCurrent(client, { profiles: true })
  return exportState(current, current.profiles)
}
