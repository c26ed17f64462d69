import type { ServiceStatus } from '../contract/cluster.ts'
import { count } from '../util/words.ts'
import { firstOf, named, type Said, safe, say } from './said.ts'
import { type Note, noteIn } from './view.ts'

/** Undefined if all sources answer. */
export const sourcesNote = ({
  failing,
  total,
}: Pick<ServiceStatus['sources'], 'failing' | 'total'>): Note | undefined =>
  failing === 0
    ? undefined
    : noteIn(
        'warn',
        say`${failing} of ${safe(count(total, 'source'))} of the catalog ${safe(failing === 1 ? 'does' : 'do')} not answer, so newer releases may be unknown.`,
      )

const mostSources = 3

/** `Argo CD (github, since 2026-08-31) and 2 more` */
export function sourcesSaid({ failing, items }: ServiceStatus['sources']): Said {
  const all = items.map(({ name, kind, answered_at: at }) => {
    const since = at === null ? 'never answered' : `since ${at.slice(0, 10)}`
    return say`${named('artifact', name)} (${named('text', kind)}, ${safe(since)})`
  })
  return firstOf(all, mostSources, failing)
}
