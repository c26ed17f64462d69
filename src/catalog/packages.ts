import { readData } from './read-data.ts'

/** The packages of a project in OSV's ecosystems. */
export interface AdvisoryPackage {
  ecosystem: 'Bitnami' | 'Go'
  name: string
}

type Row = Partial<Record<'bitnami' | 'go', string[]>>

let table: Partial<Record<string, Row>> | undefined

/** By slug of the bundled catalog; empty if no package of the project is known. */
export function toPackages(slug: string): AdvisoryPackage[] {
  table ??= readData<Partial<Record<string, Row>>>('packages')
  const { bitnami = [], go = [] } = (Object.hasOwn(table, slug) && table[slug]) || {}
  return [
    ...bitnami.map((name) => ({ ecosystem: 'Bitnami' as const, name })),
    ...go.map((name) => ({ ecosystem: 'Go' as const, name })),
  ]
}
