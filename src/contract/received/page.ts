import * as z from 'zod/mini'
import { toPage } from '../shape.ts'
import { listUnder, received } from './received.ts'

/** A list whose paging the published API does not describe: the number of pages may be unknown. */
export function maybePaged<T extends z.ZodMiniType>(item: T, names: string[] = []) {
  return listUnder(['items', ...names], received(toPage(item), ['items']))
}

/** `success`, if the published API does not guarantee it; false means that the request failed. */
export const maybeSuccess = { success: z.optional(z.literal(true)) }
