import { ReltError } from '../errors.ts'

/** A kind of objects of the user that are few enough to list completely. */
export interface NamedKind<T> {
  /** Its name in messages, and the argument's name. */
  kind: string
  describe: (item: T) => { id: string; name: string; about?: string }
  /** Command that lists them. */
  hint: string
  /** People may type the secret itself, so errors do not repeat what was typed. */
  isSecret?: true
}

/** Finds one object by id, or by name ignoring case. Throws `not_found`, and `usage` if several have the name. */
export function pickNamed<T>(items: T[], typed: string, { kind, describe, hint, isSecret }: NamedKind<T>): T {
  const byId = items.find((item) => describe(item).id === typed)
  if (byId !== undefined) return byId
  const found = items.filter((item) => nameKey(describe(item).name) === nameKey(typed))
  if (found.length === 1) return found[0]!
  if (found.length === 0)
    throw new ReltError('not_found', `No ${kind} ${isSecret ? 'of this name' : `named "${typed}"`}.`, { hint })
  const ids = found.map((item) => describe(item).id)
  throw new ReltError('usage', `Several ${kind}s are named "${typed}".`, { hint: `Use an id: ${ids.join(', ')}` })
}

/** Equal for names that differ only in case or Unicode normalization. */
export const nameKey = (name: string) => name.normalize('NFC').toLowerCase()
