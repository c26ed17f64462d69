import type { Candidate, Found, Repository } from './candidate.ts'
import { findDisowned } from './disowned.ts'
import { findEnded } from './ended.ts'
import { findArchived, findDeprecatedCharts, findDiscontinued, findMalicious, findRetracted } from './facts.ts'
import { findMoved } from './moved.ts'

const machines: Record<string, (repository: Repository) => Found[]> = {
  readme: findEnded,
  notes: findDisowned,
  moved: findMoved,
  module: findRetracted,
  chart: findDeprecatedCharts,
  cncf: findArchived,
  endoflife: findDiscontinued,
  malware: findMalicious,
}

/** `owners`: the projects that have this repository. */
export function askMachines({
  owners,
  ...read
}: Omit<Repository, 'names'> & { owners: readonly { slug: string; name: string }[] }): Candidate[] {
  const { url, day: as_of } = read
  const name = url.slice(url.lastIndexOf('/') + 1)
  const names = [name, ...owners.flatMap((owner) => [owner.slug, owner.name])]
  const projects = owners.length > 0 ? { projects: owners.map(({ slug }) => slug) } : {}
  return Object.entries(machines).flatMap(([machine, find]) =>
    find({ ...read, names }).map(({ at, ...found }) => {
      const source = at ? `${url}/blob/HEAD/${encodeURI(at)}` : url
      return { machine, name, ...projects, ...found, source, as_of, verdict: 'open' as const }
    }),
  )
}
