import type { FactsStatus } from '../../../admin/catalog.ts'

const words: Record<FactsStatus['kind'], string> = {
  exploited: 'exploited vulnerabilities',
  project: 'retired projects',
  fault: 'bad releases',
  repository: 'closed and moved repositories',
  rule: 'upgrade rules',
  compatibility: 'ranges of Kubernetes',
  removal: 'removed API versions',
  breaking: 'breaking changes',
}

/**
 * `Facts about exploited vulnerabilities: 2026-08-21 (bundled). …`: all sources with their days, including the user's own.
 */
export function factsText(all: readonly FactsStatus[]) {
  const dated = all.filter((one) => one.as_of !== null && !isReplaced(one, all))
  const byDay = Map.groupBy(dated, ({ as_of, source }) => `${as_of} (${source.includes('/') ? 'projects' : source})`)
  const own = all.filter(({ source }) => source === 'file').reduce((sum, { facts }) => sum + facts, 0)
  const texts = [...byDay].map(
    ([day, some]) => `${[...new Set(some.map(({ kind }) => words[kind]))].join(', ')}: ${day}`,
  )
  return `Facts about ${texts.join('; ')}${own > 0 ? `; ${own} of your own` : ''}.`
}

/** Of the lists of exploited vulnerabilities, only the newest counts. */
function isReplaced({ kind, as_of }: FactsStatus, all: readonly FactsStatus[]) {
  return kind === 'exploited' && all.some((other) => other.kind === kind && (other.as_of ?? '') > as_of!)
}
