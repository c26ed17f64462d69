import type { CatalogSource, ProjectSource } from './source.ts'

/** Contents of the files in `src/` that follow from `catalog/` alone. */
export function outputsOf({ projects, lists }: CatalogSource): Record<string, string> {
  const all = [...projects]
  const factsOf = <T extends object>(find: (project: ProjectSource) => T[] | undefined, key = 'slug') =>
    all.flatMap(([slug, project]) => (find(project) ?? []).map((fact) => ({ [key]: slug, ...fact })))
  const ranges = factsOf(({ ranges }) => ranges?.stated)
  const packages = all.flatMap(([slug, { packages, releases }]) =>
    packages || releases ? [[slug, { ...packages, ...(releases && { releases }) }] as const] : [],
  )
  const data = {
    projects: toRows(all.map(([slug, project]) => toProject(slug, project))),
    packages: toMembers(packages),
    compatibility: toRows(
      ranges.map(({ kubernetes_max: max, ...rest }) => ({
        ...rest,
        kubernetes_max: max === 'not stated' ? null : max,
      })),
    ),
    retired: toRows([
      ...all.flatMap(([slug, { name, retired = [] }]) => retired.map((fact) => ({ slug, name, ...fact }))),
      ...lists.retired,
    ]),
    'bad-releases': toRows([...factsOf((project) => project.bad_releases), ...lists['bad-releases']]),
    'upgrade-rules': toRows(factsOf((project) => project.upgrade_rules)),
    'api-removals': toRows(factsOf((project) => project.api_removals, 'component')),
    'breaking-changes': toRows(factsOf((project) => project.breaking)),
    repositories: toRows(lists.repositories),
    'range-sources': toRows(toRangeFiles(all)),
    'version-skew': toRows(lists['version-skew']),
    'bundled-components': toRows(lists['bundled-components']),
    managed: toMembers(Object.entries(lists.managed)),
  }
  return Object.fromEntries(Object.entries(data).map(([name, text]) => [`src/catalog/data/${name}.json`, text]))
}

/** One a line, so that changes can be read. */
export function toRows(rows: readonly unknown[]) {
  return `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`
}

export function toMembers(members: readonly (readonly [string, unknown])[]) {
  return `{\n${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',\n')}\n}\n`
}

function toProject(slug: string, project: ProjectSource) {
  const { name, description, category, cncf_status, homepage, repo_url, charts } = project
  return {
    ...{ slug, name, description, category, cncf_status, homepage },
    docs_url: project.docs_url ?? null,
    repo_url,
    helm_chart_repo: charts?.repository ?? null,
    helm_chart_names: charts?.names ?? [],
    image_repositories: project.images ?? [],
    tag_pattern: project.tag_pattern ?? null,
  }
}

/** Each file once, with all that is read from it, and one for each line in place of `{line}`. */
function toRangeFiles(all: (readonly [slug: string, ProjectSource])[]) {
  const sources = all.flatMap(([slug, { ranges }]) =>
    (ranges?.read ?? []).flatMap(({ at, ...read }) =>
      at.includes('{line}')
        ? read.lines!.map((line) => ({ at: at.replace('{line}', line), slug, ...read, lines: [line] }))
        : [{ at, slug, ...read }],
    ),
  )
  return [...Map.groupBy(sources, ({ at }) => at)].map(([at, some]) => {
    const [owner, repository, ref, ...path] = at.split('/')
    const page = `https://github.com/${owner}/${repository}/blob/${ref}/${path.join('/')}`
    return { at, page, read: some.map(({ at: _, ...source }) => source) }
  })
}
