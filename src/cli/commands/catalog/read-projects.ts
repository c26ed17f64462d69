import type { Context } from '../../../context.ts'
import type { RouteInput } from '../../../contract/routes.ts'
import { invalidParams, ReltError } from '../../../errors.ts'
import { isObject, parseJson } from '../../../util/json.ts'
import { parseYaml } from '../../input/parse-yaml.ts'
import { readText } from '../../input/read-text.ts'

type Projects = RouteInput<'syncProjects'>['body']['projects']

const maxProblems = 20

const fields = ['name', 'description', 'category', 'cncf_status', 'homepage', 'docs_url', 'repo_url']
const optionalFields = ['helm_chart_repo', 'logo_url']
/** Additional fields of a project list, accepted so that its output can be pushed unchanged. */
const ignored = ['id', 'slug', 'updated_at', 'latest_version', 'latest_published_at', 'releases']

/**
 * Parses projects from YAML or JSON: a list, an object with `projects`, or a page of `projects list --json`. Values stay as
 * written: the service validates them. Throws `invalid_param` for unknown members.
 */
export async function readProjects(context: Context, file: string): Promise<Projects> {
  const what = file === '-' ? 'Standard input' : file
  const list = listIn(parse(await readText(context, file), what), what)
  const problems: Record<string, string> = {}
  const projects = list.map((project, index) => {
    if (!isObject(project)) {
      problems[`projects.${index}`] = 'must be an object with a name'
      return {}
    }
    const members = Object.entries(project).filter(([key]) => !ignored.includes(key))
    for (const [key] of members) {
      if (![...fields, ...optionalFields].includes(key)) problems[`projects.${index}.${key}`] = 'is not a field'
    }
    return Object.fromEntries(members)
  })
  const shown = Object.entries(problems).slice(0, maxProblems)
  if (shown.length > 0) throw invalidParams(Object.fromEntries(shown))
  return projects as Projects
}

function listIn(document: unknown, what: string): unknown[] {
  if (Array.isArray(document)) return document
  const { projects, items, total_pages } = isObject(document) ? document : {}
  if (Array.isArray(projects)) return projects
  if (Array.isArray(items)) {
    if (typeof total_pages !== 'number' || total_pages <= 1) return items
    throw new ReltError('invalid_param', `${what} is one page of ${total_pages}.`, {
      hint: 'Merge the projects of all pages into one list.',
    })
  }
  throw new ReltError('invalid_param', `${what} contains no list of projects.`, {
    hint: 'Use a list such as: [{"name": "Shop API", "repo_url": "https://github.com/shop/api"}]',
  })
}

/** Tries JSON first, because YAML parsing is much slower. */
function parse(text: string, what: string): unknown {
  if (/^\s*[[{]/.test(text)) {
    try {
      return parseJson(Buffer.from(text), what)
    } catch {
      // YAML can start the same way.
    }
  }
  return parseYaml(text, what)
}
