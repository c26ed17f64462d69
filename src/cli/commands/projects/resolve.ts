import type { RouteCaller } from '../../../client/client.ts'
import type { ReceivedProject } from '../../../contract/received/catalog.ts'
import { noProjectNamed, ReltError } from '../../../errors.ts'
import { nameKey, namesMeant, projectsCalled } from '../../../util/project-name.ts'
import { choose } from '../../input/choose.ts'
import type { Cli } from '../../program/command.ts'

export type ProjectCandidate = Pick<ReceivedProject, 'id' | 'name' | 'slug'>

/** No catalog has more. */
const maxPages = 50

/** Resolves user input to a project's id: an id, a slug, a name in any case, or a common short name. */
export async function resolveProject(cli: Cli, typed: string) {
  return /^\d+$/.test(typed) ? typed : String((await findByName(cli, typed)).id)
}

/** Like `resolveProject`, with the project's name. Also looks up an id to get its name. */
export async function getProjectName(cli: Cli, typed: string): Promise<ProjectCandidate> {
  if (!/^\d+$/.test(typed)) return findByName(cli, typed)
  return (await cli.call('getProject', { params: { id: typed } })).product
}

/** The id of a project chosen from the catalog. */
export function chooseProject(cli: Cli) {
  return choose(cli, 'project', async (search) => (await listChoices(cli, search)).map(toIdChoice))
}

/** The ids of several projects, chosen one after another. Once one is chosen, the list starts with an entry to finish. */
export async function chooseProjects(cli: Cli) {
  const chosen: string[] = []
  for (;;) {
    const next = await choose<string | undefined>(
      cli,
      chosen.length === 0 ? 'project' : 'other project',
      async (term) => {
        const choices = (await listChoices(cli, term)).map(toIdChoice)
        const done =
          chosen.length > 0 && term === '' ? [{ value: undefined, name: `Done (${chosen.length} chosen)` }] : []
        return [...done, ...choices.filter(({ value }) => !chosen.includes(value))]
      },
    )
    if (next === undefined) return chosen
    chosen.push(next)
  }
}

async function listChoices(cli: Cli, search: string) {
  return (await cli.call('listProjects', { query: { search, per_page: 50 } })).items
}

/**
 * Resolves several matches of `typed`: by choice on a terminal. Throws `not_found` for none, and otherwise `usage` for
 * several.
 */
export async function pickProject<T extends ProjectCandidate>(cli: Cli, typed: string, found: T[]): Promise<T> {
  if (found.length === 1) return found[0]!
  if (found.length === 0) throw noProjectNamed(typed)
  if (cli.io.isInteractive) {
    const choices = found.map(toChoice)
    return choose(cli, 'project', async (term) => choices.filter(({ name }) => nameKey(name).includes(nameKey(term))))
  }
  const names = found.slice(0, 6).map(({ id, name, slug }) => slug ?? `${name} (${id})`)
  throw new ReltError('usage', `"${typed}" matches several projects.`, { hint: `Choose one: ${names.join(', ')}` })
}

function toChoice<T extends ProjectCandidate & { description?: string }>(value: T) {
  const { name, description } = value
  return { value, name, ...(description && { about: description }) }
}

const toIdChoice = (project: ProjectCandidate & { description?: string }) => ({
  ...toChoice(project),
  value: String(project.id),
})

async function findByName(cli: Cli, typed: string) {
  return pickProject(cli, typed, await findMeant(cli, typed))
}

/** Matches slug or full name, else short name, else names that contain `typed`. */
async function findMeant(client: RouteCaller, typed: string) {
  const found = await searchEach(client, formatSpellings(typed))
  const exact = projectsCalled(found, typed)
  if (exact.length > 0) return exact
  const names = namesMeant(typed)
  const short = (await searchEach(client, names)).filter(({ name }) =>
    names.some((each) => nameKey(each) === nameKey(name)),
  )
  if (short.length > 0) return short
  const mixed = projectsCalled(await searchEach(client, longestWord(typed)), typed)
  return mixed.length > 0 ? mixed : found.filter(({ name }) => nameKey(name).includes(nameKey(typed)))
}

/** Alternative spellings: names have spaces or hyphens, and the search is literal. */
function formatSpellings(name: string) {
  return [...new Set([name, name.replace(/[\s_]+/g, '-'), name.replace(/[-_]+/g, ' ')])]
}

/** The longest word finds a name with both spaces and hyphens. */
function longestWord(name: string) {
  const words = name.split(/[\s_-]+/)
  return words.length > 2 ? [words.reduce((longest, word) => (word.length > longest.length ? word : longest))] : []
}

/** Merges matches of all texts: other servers need not list the best match first. */
async function searchEach(client: RouteCaller, texts: string[]) {
  const found = await Promise.all(texts.map((search) => searchAll(client, search)))
  return [...new Map(found.flat().map((project) => [project.id, project])).values()]
}

async function searchAll(client: RouteCaller, search: string) {
  const found: ReceivedProject[] = []
  for (let page = 1, pages = 1; page <= Math.min(pages, maxPages); page++) {
    const { items, total_pages } = await client.call('listProjects', { query: { search, page, per_page: 100 } })
    found.push(...items)
    pages = total_pages
  }
  return found
}
