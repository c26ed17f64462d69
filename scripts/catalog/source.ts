import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { CncfStatus } from '../../src/contract/project.ts'
import { packageSources } from '../../src/contract/source-kind.ts'
import { ProjectFact, ReleaseFault, RepositoryFact, UpgradeRule } from '../../src/contract/state-facts.ts'
import { ApiRemoval, BreakingChange, Compatibility, kubernetesMinor } from '../../src/contract/upgrade-facts.ts'

/** Messages that say what is wrong. */
const error = z.locales.en().localeError

/** What is written by hand in `catalog/`: docs/catalog.md describes its files. */

const address = z.string().check(z.regex(/^(https?|oci):\/\/[^\s{}]+$/, 'an address such as https://example.com'))
const text = z.string().check(z.minLength(1))
const texts = z.array(text)

/** Each fact has the address that states it, and the day on which that was so. */
const sourced = { source: address, as_of: z.string().check(z.regex(/^\d{4}(-\d\d){0,2}$/, 'a day such as 2026-03-31')) }
const facts = <T extends z.core.$ZodLooseShape>(shape: T) => z.array(z.strictObject({ ...shape, ...sourced }))
const rows = <T extends z.core.$ZodLooseShape>(shape: T) => z.optional(facts(shape))

const { slug: _, ...range } = Compatibility.shape
const { slug: _fact, name: _name, ...fate } = ProjectFact.shape
const { slug: _fault, ...fault } = ReleaseFault.shape
const { slug: _rule, ...rule } = UpgradeRule.shape
const { component: _component, ...removal } = ApiRemoval.shape
const { slug: _change, ...change } = BreakingChange.shape

/** Nested repetition would take exponential time. */
const pattern = text.check(z.refine((source) => !/[*+]\)[*+{]/.test(source), 'a pattern without nested repetition'))
const ReadRange = z.strictObject({
  at: text.check(z.regex(/^[\w.-]+\/[\w.-]+\/[\w.{}-]+\/\S+$/, 'owner/repository/ref/path')),
  kind: Compatibility.shape.kind,
  rows: z.int().check(z.positive()),
  within: pattern,
  row: z.optional(pattern),
  mark: z.optional(text),
  lines: z.optional(texts),
})

const ProjectSource = z.strictObject({
  name: text,
  description: z.string().check(z.regex(/^[\x20-\x7e]{40,110}$/, '40 to 110 ASCII characters'), z.regex(/[^.]$/)),
  category: text,
  cncf_status: CncfStatus,
  homepage: address,
  docs_url: z.optional(address),
  repo_url: address,
  tag_pattern: z.optional(text),
  charts: z.optional(z.strictObject({ repository: z.optional(address), names: z.optional(texts) })),
  images: z.optional(texts),
  packages: z.optional(z.strictObject({ bitnami: z.optional(texts), go: z.optional(texts) })),
  /** The package whose versions are its releases; otherwise the tags of its repository are. */
  releases: z.optional(z.partialRecord(z.enum(packageSources), text)),
  /** Its product at endoflife.date. */
  eol: z.optional(text),
  ranges: z.optional(
    z.strictObject({
      /** Where the project publishes its ranges. */
      read: z.optional(z.array(ReadRange)),
      stated: rows({ ...range, kubernetes_max: z.union([kubernetesMinor, z.literal('not stated')]) }),
    }),
  ),
  /** Why no source has renewed what is known of it for half a year. */
  not_renewed: z.optional(text),
  retired: rows({ ...fate, name: z.optional(text) }),
  bad_releases: rows(fault),
  upgrade_rules: rows(rule),
  api_removals: rows(removal),
  breaking: rows(change),
})
export type ProjectSource = z.infer<typeof ProjectSource>

const SkewRow = z.object({ id: text, scope: text, component: text, rule: text, note: text, ...sourced })
const Component = z.strictObject({ distribution: text, kubernetes: text, slug: text, version: text, ...sourced })

const lists = {
  retired: facts(ProjectFact.shape),
  'bad-releases': facts(ReleaseFault.shape),
  repositories: facts(RepositoryFact.shape),
  'version-skew': z.array(z.looseObject(SkewRow.shape)),
  'bundled-components': z.array(Component),
  systems: z.strictObject({
    systems: z.record(text, text),
    offerings: z.record(text, text),
    stated: z.record(
      text,
      z.strictObject({ ...sourced, cycles: z.array(z.array(z.union([z.string(), z.boolean()]))) }),
    ),
  }),
  managed: z.looseObject({ offerings: z.looseObject({}), places: z.array(z.looseObject({})) }),
}

export interface CatalogSource {
  /** By slug, sorted. */
  projects: Map<string, ProjectSource>
  lists: { [name in keyof typeof lists]: z.infer<(typeof lists)[name]> }
}

/** Reads the folder. Throws an error that names each problem with its file. */
export function readSource(folder = 'catalog'): CatalogSource {
  const problems: string[] = []
  const read = <T extends z.ZodMiniType>(path: string, shape: T): z.infer<T> => {
    const parsed = shape.safeParse(parse(readFileSync(join(folder, path), 'utf8')), { error })
    const issues = parsed.error?.issues ?? []
    problems.push(...issues.map((issue) => `${join(folder, path)}: ${issue.path.join('.')}: ${issue.message}`))
    return parsed.data as z.infer<T>
  }
  const slugs = readdirSync(join(folder, 'projects')).map((file) => basename(file, '.yaml'))
  const projects = slugs.sort().map((slug) => [slug, read(`projects/${slug}.yaml`, ProjectSource)] as const)
  const shared = Object.entries(lists).map(([name, shape]) => [name, read(`${name}.yaml`, shape)])
  if (problems.length === 0) problems.push(...findRepeated(projects))
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return { projects: new Map(projects), lists: Object.fromEntries(shared) }
}

/** Images, charts and descriptions identify one project. */
function findRepeated(projects: (readonly [string, ProjectSource])[]) {
  const owners = new Map<string, string>()
  return projects.flatMap(([slug, { description, images = [], charts }]) =>
    [description, ...images, ...(charts?.names ?? []).map((name) => `chart ${name}`)].flatMap((name) => {
      const owner = owners.get(name)
      owners.set(name, slug)
      return owner === undefined ? [] : `catalog/projects/${slug}.yaml: ${owner} has ${name} as well`
    }),
  )
}
