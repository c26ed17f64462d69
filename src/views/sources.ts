import type { ServiceStatus } from '../contract/cluster.ts'
import { andMore, count } from '../util/words.ts'
import { joined, named, type Said, safe, say } from './said.ts'
import type { Note } from './view.ts'

/** Undefined if all sources answer. */
export const sourcesNote = ({
  failing,
  total,
}: Pick<ServiceStatus['sources'], 'failing' | 'total'>): Note | undefined =>
  failing === 0
    ? undefined
    : {
        tone: 'warn',
        said: say`${failing} of ${safe(count(total, 'source'))} of the catalog ${safe(failing === 1 ? 'does' : 'do')} not answer, so newer releases may be unknown.`,
      }

const mostSources = 3

/** `Argo CD (github, since 2026-08-31) and 2 more` */
export function sourcesSaid({ failing, items }: ServiceStatus['sources']): Said {
  const shown = items.slice(0, mostSources).map(({ name, kind, answered_at: at }) => {
    const since = at === null ? 'never answered' : `since ${at.slice(0, 10)}`
    return say`${named('artifact', name)} (${named('text', kind)}, ${safe(since)})`
  })
  const more = failing - shown.length
  return [...joined(shown, ', '), ...(more > 0 ? [safe(` ${andMore(more)}`)] : [])]
}
