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

/** `Facts about exploited vulnerabilities: 2026-08-21 (bundled). …`, the latest of each kind, and the own ones. */
export function factsText(all: readonly FactsStatus[]): string {
  const dated = all.filter(({ as_of }) => as_of !== null)
  const latest = Map.groupBy(dated, ({ kind }) => kind)
    .values()
    .map((own) => own.reduce((best, one) => (one.as_of! >= best.as_of! ? one : best)))
  const byDay = Map.groupBy(latest, ({ as_of, source }) => `${as_of} (${source})`)
  const own = all.filter(({ source }) => source === 'file').reduce((sum, { facts }) => sum + facts, 0)
  const texts = [...byDay].map(([day, some]) => `${some.map(({ kind }) => words[kind]).join(', ')}: ${day}`)
  return `Facts about ${texts.join('; ')}${own > 0 ? `; ${own} of your own` : ''}.`
}
