import type { PackageSource } from '../contract/source-kind.ts'
import { type Bundle, perBundle } from './bundle.ts'

/** The packages of a project in OSV's ecosystems. */
export interface AdvisoryPackage {
  ecosystem: 'Bitnami' | 'Go'
  name: string
}

type Row = Partial<Record<'bitnami' | 'go', string[]> & { releases: Partial<Record<PackageSource, string>> }>

const tableOf = perBundle(({ read }) => read<Partial<Record<string, Row>>>('packages'))

/** By slug of the catalog. */
function rowOf(bundle: Bundle, slug: string): Row {
  const table = tableOf(bundle)
  return (Object.hasOwn(table, slug) && table[slug]) || {}
}

/** Empty if no package of the project is known. */
export function toPackages(bundle: Bundle, slug: string): AdvisoryPackage[] {
  const { bitnami = [], go = [] } = rowOf(bundle, slug)
  return [
    ...bitnami.map((name) => ({ ecosystem: 'Bitnami' as const, name })),
    ...go.map((name) => ({ ecosystem: 'Go' as const, name })),
  ]
}

/** Host of a registry, and the path of a package in it. */
const registries: Record<PackageSource, (name: string) => [host: string, path: string]> = {
  npm: (name) => ['registry.npmjs.org', name.replace('/', '%2F')],
  pypi: (name) => ['pypi.org', `pypi/${name}/json`],
  maven: (name) => [
    'repo1.maven.org',
    `maven2/${name.replace(/:.*/, '').replaceAll('.', '/')}/${name.replace(/.*:/, '')}/`,
  ],
}

/** The package whose versions are the project's releases, if its repository does not tell them. `mirrors`: by host. */
export function findReleasePackage(bundle: Bundle, slug: string, mirrors: Record<string, string> = {}) {
  const [named] = Object.entries(rowOf(bundle, slug).releases ?? {}) as [PackageSource, string][]
  if (!named) return undefined
  const [kind, name] = named
  const [host, path] = registries[kind](name)
  return { kind, url: `${mirrors[host] ?? `https://${host}`}/${path}` }
}
