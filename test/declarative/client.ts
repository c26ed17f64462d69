import type { Client } from '../../src/client/client.ts'
import { concealAnswer } from '../../src/client/conceal-answer.ts'
import { applyActions } from '../../src/declarative/apply.ts'
import { readCurrent } from '../../src/declarative/current.ts'
import { type ExportResult, exportState } from '../../src/declarative/export.ts'
import { type ActionPlan, makePlan } from '../../src/declarative/plan.ts'
import { readWanted } from '../../src/declarative/read-wanted.ts'
import type { WebhookVariables } from '../../src/declarative/webhook.ts'
import type { User } from '../../src/store/accounts/user.ts'
import type { TestRoutes } from '../service/harness.ts'

interface Options {
  prune?: boolean
  variables?: WebhookVariables
}

/** The service as that user's client. */
export function toClient(routes: TestRoutes, user: User): Client {
  return {
    call: async (name, input) => concealAnswer(name, await routes.as(user, name, input)),
    request: () => Promise.reject(new Error('not used')),
    download: () => Promise.reject(new Error('not used')),
    close: async () => {},
  }
}

export function plan(
  client: Client,
  yaml: string,
  { prune = false, variables = {} }: Options = {},
): Promise<ActionPlan> {
  return makePlan(client, readWanted(yaml, 'relt.yaml'), { prune, variables })
}

export async function apply(client: Client, yaml: string, options: Options = {}): ReturnType<typeof applyActions> {
  return applyActions(client, (await plan(client, yaml, options)).actions)
}

export async function exportAll(client: Client): Promise<ExportResult> {
  const current = await readCurrent(client, { profiles: true })
  return exportState(current, current.profiles)
}
