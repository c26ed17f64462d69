import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { type ReleaseItem, ReleaseType } from '../../contract/project.ts'
import { type Cli, cliOf, newCommand } from '../command.ts'
import type { Io } from '../io.ts'
import { printJson } from '../json.ts'
import { addPageOptions, type PageOptions, pageQuery, renderPageNote } from '../page.ts'
import { print } from '../print.ts'
import type { Column } from '../table.ts'
import { when } from '../time.ts'
import { resolveProject } from './resolve.ts'

export interface ReleasesOptions extends PageOptions {
  type?: ReleaseType
}

export function createCommand(context: Context, run = runReleases): Command {
  const command = newCommand('releases', 'Releases of a project, newest first', [
    'relt projects releases argo-cd',
    'relt projects releases argo-cd --type helm --limit 50',
  ])
  return addPageOptions(command)
    .argument('<project>', 'name or id')
    .addOption(new Option('-t, --type <type>', 'kind of release (default: app)').choices(ReleaseType.options))
    .action((project, options, command) => run(cliOf(context, command), project, options))
}

export async function runReleases(
  { context, io, json }: Cli,
  idOrName: string,
  options: ReleasesOptions,
): Promise<void> {
  const client = await context.client()
  const id = await resolveProject(client, idOrName)
  const query = { ...pageQuery(options), ...(options.type && { type: options.type }) }
  const found = await client.call('listReleases', { params: { id }, query })
  if (json) return printJson(io, found)
  if (found.total === 0) return void io.err('No release of this type is known.\n')
  const { renderTable } = await import('../table.ts')
  print(io, renderTable(io, columns(io, context.now(), options.type), found.items))
  renderPageNote(io, found)
}

const columns = ({ color, isTerminal }: Io, now: number, type: ReleaseType | undefined): Column<ReleaseItem>[] => [
  ...(type === 'helm' ? [{ title: 'Chart', value: (release: ReleaseItem) => release.chart_name ?? '-', min: 10 }] : []),
  { title: 'Version', value: (release) => release.version, style: (cell) => color.bold(cell), min: 12 },
  { title: 'Published', value: (release) => when(release.published_at, { isTerminal, now }), min: 10 },
  {
    title: 'Security',
    value: (release) => (release.has_security_fix ? release.security_severity : '-'),
    style: (cell, release) => (release.has_security_fix ? color.red(cell) : cell),
  },
  { title: 'Url', value: (release) => release.url, style: (cell) => color.dim(cell), min: 20 },
]
