import type { RouteCaller } from '../../../client/client.ts'
import { releaseTypes } from '../../../contract/choices.ts'
import type { ReleaseType } from '../../../contract/project.ts'
import type { ReceivedReleaseItem } from '../../../contract/received/catalog.ts'
import { ReltError } from '../../../errors.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { when } from '../../../util/ago.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { type CommandResult, member, show } from '../../output/output.ts'
import { pageOptions, pageQuery } from '../../output/page.ts'
import { verb } from '../../program/verb.ts'
import { securityColumn } from './recent-view.ts'
import { chooseProject, resolveProject } from './resolve.ts'

/** Number of releases shown with notes, which are long. */
const releasesWithNotes = 5

export default verb({
  name: 'releases',
  summary: 'List releases of a project and their notes',
  examples: [
    'relt projects releases argo-cd',
    'relt projects releases argo-cd --type helm --limit 50',
    'relt projects releases argo-cd --notes',
    'relt projects releases argo-cd v3.1.0',
  ],
  args: [
    ['[project]', 'slug, name or id'],
    ['[version]', 'show only this release, with its notes'],
  ],
  options: {
    ...pageOptions,
    '-t, --type <type>': { help: 'release type (default: app)', choices: releaseTypes },
    '--notes': `show release notes (default: of ${releasesWithNotes} releases)`,
  },
  run: async (cli, idOrName, version, options) => {
    const id = await resolveProject(cli, idOrName ?? (await chooseProject(cli)))
    if (version !== undefined) {
      const release = await findRelease(cli, { id, type: options.type, version })
      return show(cli, { body: release, text: await notesView([release]) })
    }
    const { limit = options.notes ? releasesWithNotes : undefined, page } = options
    const found = await cli.call('listReleases', {
      params: { id },
      query: {
        ...pageQuery({ ...(limit && { limit }), ...(page && { page }) }),
        ...(options.type && { type: options.type }),
      },
    })
    await show(cli, {
      body: found,
      rows: found.items,
      columns: (io, now) => columns(io, now, options.type),
      ...(options.notes && { text: await notesView(found.items) }),
      empty: 'No releases of this type.',
      page: found,
    })
  },
})

const pageSize = 100
const maxPages = 50

/** A release by its version, with or without leading `v`. Throws `not_found`. */
async function findRelease(
  client: RouteCaller,
  { id, type, version }: { id: string; type: ReleaseType | undefined; version: string },
) {
  const bare = (text: string) => text.replace(/^v(?=\d)/, '')
  for (let page = 1, pages = 1; page <= Math.min(pages, maxPages); page++) {
    const { items, total_pages } = await client.call('listReleases', {
      params: { id },
      query: { page, per_page: pageSize, ...(type && { type }) },
    })
    const found = items.find((release) => bare(release.version) === bare(version))
    if (found) return found
    pages = total_pages
  }
  throw new ReltError('not_found', `No release ${version} of this type.`, {
    hint: 'Other types: --type helm, --type pre',
  })
}

async function notesView(
  releases: ReceivedReleaseItem[],
): Promise<NonNullable<CommandResult<ReceivedReleaseItem>['text']>> {
  const { renderNotes } = await import('./notes-view.ts')
  return (io, now) => renderNotes(io, releases, now)
}

const columns = (io: Io, now: number, type: ReleaseType | undefined): Column<ReceivedReleaseItem>[] => [
  ...(type === 'helm'
    ? [{ title: titles.chart, value: (release: ReceivedReleaseItem) => release.chart_name, min: 10 }]
    : []),
  {
    title: titles.version,
    value: member('version'),
    style: io.color.bold,
    min: 12,
  },
  {
    title: titles.published,
    value: (release) => when(release.published_at, { isTerminal: io.isTerminal, now }),
    min: 10,
  },
  securityColumn(io),
  {
    title: titles.url,
    value: member('url'),
    style: io.color.dim,
    min: 20,
  },
]
