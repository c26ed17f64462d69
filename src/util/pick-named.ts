import { ReltError } from '../errors.ts'

/** Things of the user's own that are few enough to be listed whole. */
export interface NamedKind<T> {
  /** Its name in messages, and the argument's name. */
  kind: string
  describe: (item: T) => { id: string; name: string; about?: string }
  /** Command that lists them. */
  hint: string
}

/** One thing by id, or by name in any case. Throws `not_found`, and `usage` when several have the name. */
export function pickNamed<T>(items: T[], typed: string, { kind, describe, hint }: NamedKind<T>): T {
  const byId = items.find((item) => describe(item).id === typed)
  if (byId !== undefined) return byId
  const found = items.filter((item) => nameKey(describe(item).name) === nameKey(typed))
  if (found.length === 1) return found[0]!
  if (found.length === 0) throw new ReltError('not_found', `No ${kind} named "${typed}".`, { hint })
  const ids = found.map((item) => describe(item).id)
  throw new ReltError('usage', `Several ${kind}s are named "${typed}".`, { hint: `Use an id: ${ids.join(', ')}` })
}

/** Equal for names that differ in case or normal form only. */
export const nameKey = (name: string) => name.normalize('NFC').toLowerCase()
