import { readData } from './read-data.ts'

/** The packages of a project in the ecosystems of OSV. */
export interface AdvisoryPackage {
  ecosystem: 'Bitnami' | 'Go'
  name: string
}

type Row = Partial<Record<'bitnami' | 'go', string[]>>

let table: Partial<Record<string, Row>> | undefined

/** By slug of the bundled catalog; empty for a project of which no package is known. */
export function toPackages(slug: string): AdvisoryPackage[] {
  table ??= readData('packages') as Partial<Record<string, Row>>
  const { bitnami = [], go = [] } = (Object.hasOwn(table, slug) && table[slug]) || {}
  return [
    ...bitnami.map((name) => ({ ecosystem: 'Bitnami' as const, name })),
    ...go.map((name) => ({ ecosystem: 'Go' as const, name })),
  ]
}
