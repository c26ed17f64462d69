import type { Compatibility } from '../../contract/upgrade-facts.ts'
import type { RangeFile } from '../../upgrade/range-source.ts'
import { type FactListOutcome, fetchList, ofFile } from '../fact-list.ts'
import type { Http } from '../http.ts'
import type { SourceState } from '../source-state.ts'
import { readPublishedRanges } from './read-ranges.ts'

/** The ranges that a file states. `day`: of the answer, `YYYY-MM-DD`. */
export function fetchRanges(
  http: Http,
  { page, read }: RangeFile,
  { url, state, day }: { url: string; state: SourceState; day: string },
): Promise<FactListOutcome<Compatibility>> {
  return fetchList(http, {
    url,
    ...ofFile,
    state,
    what: 'ranges of the form that is known',
    read: (body) => {
      const found = read.map((source) => readPublishedRanges(body.toString('utf8'), source))
      if (found.includes(undefined)) return undefined
      const rows = found.flatMap((rows) => rows!)
      return { facts: rows.map((row) => ({ ...row, source: page, as_of: day })), hashed: rows }
    },
  })
}
