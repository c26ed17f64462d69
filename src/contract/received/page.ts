import * as z from 'zod/mini'
import { toPage } from '../shape.ts'
import { listUnder, received } from './received.ts'

/** A list whose pages the interface does not show: how many there are may be unknown. */
export function maybePaged<T extends z.ZodMiniType>(item: T, names: string[] = []) {
  return listUnder(['items', ...names], received(toPage(item), ['items']))
}

/** `success`, where the interface does not promise it: a server that says false has not done it. */
export const maybeSuccess = { success: z.optional(z.literal(true)) }
