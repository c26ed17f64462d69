import type { Client } from '../../client/client.ts'
import { ReltError } from '../../errors.ts'
import { type NamedKind, nameKey, pickNamed } from '../../util/pick-named.ts'
import type { Cli } from '../program/command.ts'
import { type Choice, choose, requireInteractive } from './choose.ts'

/** Kind of object that can be listed, to choose one. */
export interface ResolvableKind<T> extends NamedKind<T> {
  load: (client: Client) => Promise<T[]>
}

/**
 * Finds one object by id, or by name ignoring case; on a terminal, without either, by choice from a list. Throws
 * `ReltError`.
 */
export async function resolve<T>(cli: Cli, typed: string | undefined, kind: ResolvableKind<T>): Promise<T> {
  if (typed === undefined) requireInteractive(cli.io, kind.kind)
  const items = await kind.load(await cli.context.client())
  if (typed !== undefined) return pickNamed(items, typed, kind)
  if (items.length === 0) throw new ReltError('not_found', `No ${kind.kind} yet.`)
  const choices = items.map((value): Choice<T> => ({ value, ...kind.describe(value) }))
  return choose(cli, kind.kind, async (term) => choices.filter(({ name }) => nameKey(name).includes(nameKey(term))))
}
