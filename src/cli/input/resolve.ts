import type { Client } from '../../client/client.ts'
import { ReltError } from '../../errors.ts'
import type { Cli } from '../program/command.ts'
import { type Choice, choose, requireInteractive } from './choose.ts'

/** Things of the user's own that are few enough to be listed whole. */
export interface Kind<T> {
  /** What messages call it, and the argument's name. */
  kind: string
  load: (client: Client) => Promise<T[]>
  describe: (item: T) => { id: string; name: string; about?: string }
  /** Where they are to be seen. */
  hint: string
}

/** One thing by id, or by name in any case; on a terminal, without either, chosen from a list. Throws `ReltError`. */
export async function resolve<T>(cli: Cli, typed: string | undefined, kind: Kind<T>): Promise<T> {
  if (typed === undefined) requireInteractive(cli.io, kind.kind)
  const items = await kind.load(await cli.context.client())
  if (typed !== undefined) return pick(items, typed, kind)
  if (items.length === 0) throw new ReltError('not_found', `There is no ${kind.kind} yet.`)
  const choices = items.map((value): Choice<T> => ({ value, ...kind.describe(value) }))
  return choose(cli, kind.kind, async (term) => choices.filter(({ name }) => keyOf(name).includes(keyOf(term))))
}

function pick<T>(items: T[], typed: string, { kind, describe, hint }: Kind<T>): T {
  const byId = items.find((item) => describe(item).id === typed)
  if (byId !== undefined) return byId
  const found = items.filter((item) => keyOf(describe(item).name) === keyOf(typed))
  if (found.length === 1) return found[0]!
  if (found.length === 0) throw new ReltError('not_found', `No ${kind} is called "${typed}".`, { hint })
  const ids = found.map((item) => describe(item).id)
  throw new ReltError('usage', `Several have the name "${typed}".`, { hint: `Give an id: ${ids.join(', ')}` })
}

const keyOf = (name: string) => name.normalize('NFC').toLowerCase()
