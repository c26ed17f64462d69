import type { RouteAnswer } from '../../contract/routes.ts'
import { drawNote } from '../../render/html/draw.ts'
import { clean, html, unbroken } from '../../render/html/markup.ts'
import { andMore, count, number } from '../../util/words.ts'
import { releaseNotes } from '../../views/release.ts'
import { titles } from '../../views/titles.ts'
import { numberOrNone } from '../../views/view.ts'
import { filterForm } from './form.ts'
import { pageRows, projectColumn, showTable } from './page-table.ts'
import { releasedColumns } from './projects.ts'
import type { PageColumn, View, WebPage } from './view.ts'

export const releasesPage: WebPage = {
  path: '/releases',
  heavy: true,
  nav: 'Releases',
  filters: ['days', 'mine'],
  async show({ query, view, call }) {
    const mine = query.mine === 'true'
    const found = await call('getFeed', { query: { days: query.days || 30, mine } as never })
    const { releases, looked_at } = found
    return {
      title: titles.releases,
      body: html`<h1>Releases</h1>
<p>${mine ? 'Newer than something that runs in your clusters' : html`Of the ${numberOrNone(looked_at?.subscriptions)} projects that you ${view.link('/subscriptions', 'follow')}`}: ${count(releases.length, 'release')}, ${number(releases.filter(({ has_security_fix }) => has_security_fix).length)} with security fixes.</p>
${releaseNotes(found, view.now).map((note) => drawNote(note))}
${filterForm(view, [
  { name: 'days', label: 'Days', choices: ['30', '7', '90', '365'] },
  {
    name: 'mine',
    label: 'Which',
    choices: [
      ['', 'projects that I follow'],
      ['true', 'newer than what I run'],
    ],
  },
])}
${showTable(view, {
  id: 'releases',
  caption: 'Releases, the newest first',
  columns: toColumns(view),
  ...pageRows(view, releases),
  json: found,
  empty:
    looked_at?.subscriptions === 0 && !mine
      ? html`You follow no project. ${view.link('/projects', 'Choose some')}.`
      : 'No release is known in this time.',
})}`,
    }
  },
}

function toColumns(view: View): PageColumn<RouteAnswer<'getFeed'>['releases'][number]>[] {
  return [
    projectColumn(view),
    { title: titles.version, value: ({ version }) => clean(version, 100) },
    { title: titles.type, value: ({ type }) => type },
    ...releasedColumns,
    {
      title: 'Advisories that an upgrade fixes',
      value: ({ fixes }) =>
        fixes?.length
          ? html`${fixes.slice(0, 5).map((id) => html`${view.link('/impact', unbroken(id), { cve: id })} `)}${fixes.length > 5 && andMore(fixes.length - 5)}`
          : 'none known',
      text: ({ fixes }) => fixes?.join(' '),
    },
  ]
}
