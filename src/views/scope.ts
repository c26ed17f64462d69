import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import { listed } from '../util/words.ts'

/** `SEC003, namespace shop`: what an earlier scan read and this one did not; undefined if nothing is missing. */
export function missedText({ subjects = [] }: ReceivedRun): string | undefined {
  const parts = subjects.flatMap(({ parts }) => parts.flatMap(({ name, was_read }) => (was_read ? name : [])))
  const places = subjects.flatMap(({ places }) => (places.were_read ?? []).map((name) => `namespace ${name}`))
  return parts.length + places.length === 0 ? undefined : listed([...new Set([...parts, ...places])])
}
