import type { Http } from '../http.ts'
import type { Repository } from './repository.ts'

/** Apart from the feed's: an Enterprise server has both on one host. */
export const restBudget = 'rest'

/** Unix seconds when there is more again; undefined while there is enough. */
export function limitNear({ apiUrl }: Pick<Repository, 'apiUrl'>, http: Http): number | undefined {
  const budget = http.budget(apiUrl, restBudget)
  return budget !== undefined && budget.remaining <= budget.limit / 20 ? budget.resetAt : undefined
}
