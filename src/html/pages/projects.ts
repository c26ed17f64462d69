import { cncfStatuses, type releaseTypes } from '../../contract/choices.ts'
import type { RouteAnswer } from '../../contract/routes.ts'
import { drawColumns, drawSaid, drawVerdict } from '../../render/html/draw.ts'
import { clean, day, html, link } from '../../render/html/markup.ts'
import { count, number } from '../../util/words.ts'
import { securitySaid } from '../../views/release.ts'
import { titles } from '../../views/titles.ts'
import { foldedVersions, versionColumns, versionsVerdict } from '../../views/versions.ts'
import { chosen } from '../../views/view.ts'
import { actionForm, filterForm } from './form.ts'
import { inkFor } from './ink.ts'
import { listPage, rowsOfPage, showTable } from './page-table.ts'
import { given, type PageColumn, type View, type WebPage } from './view.ts'
import { section } from './words.ts'

type Release = RouteAnswer<'listReleases'>['items'][number]
type ReleaseType = (typeof releaseTypes)[number]

export const projectsPage: WebPage = {
  path: '/projects',
  nav: 'Projects',
  filters: ['search', 'cncf_status'],
  async show({ query, view, call }) {
    const asked = given(query, ['search', 'cncf_status'])
    const [{ found, listed }, { subscribed_ids }] = await Promise.all([
      listPage(view, (paging) => call('listProjects', { query: { ...asked, ...paging } })),
      call('getMySubscriptions', {}),
    ])
    const subscribed = new Set(subscribed_ids)
    return {
      title: 'Projects',
      body: html`<h1>Projects</h1>
<p>${count(found.total, 'project')} of the catalog. ${view.notifiedTeam === null ? 'You follow' : `Team ${view.notifiedTeam} follows`} ${number(subscribed.size)}.</p>
${filterForm(view, [
  { name: 'search', label: 'Name', type: 'search' },
  { name: 'cncf_status', label: 'CNCF', choices: [['', 'every status'], ...cncfStatuses] },
])}
${showTable(view, {
  id: 'projects',
  caption: 'Projects, by name',
  columns: projectColumns(view, subscribed),
  ...listed,
  empty: 'No project matches.',
})}`,
    }
  },
}

function projectColumns(
  view: View,
  subscribed: Set<number>,
): PageColumn<RouteAnswer<'listProjects'>['items'][number]>[] {
  return [
    {
      title: titles.name,
      value: ({ id, name }) => view.link(`/projects/${id}`, clean(name, 200)),
      text: ({ name }) => name,
    },
    {
      title: titles.latest,
      value: ({ latest_version }) => clean(latest_version, 100) || 'unknown',
      text: ({ latest_version }) => latest_version,
    },
    {
      title: titles.published,
      value: ({ latest_published_at: at }) => (at ? day(at) : 'unknown'),
      text: ({ latest_published_at: at }) => at,
    },
    { title: titles.category, value: ({ category }) => clean(category, 100) || null },
    {
      title: titles.follow,
      value: ({ id, name }) => followForm(view, { id, name, isFollowed: subscribed.has(id) }),
      text: ({ id }) => (subscribed.has(id) ? 'yes' : 'no'),
    },
  ]
}

/** The form states the wanted state, so that a stale page cannot do the opposite. */
export function followForm(view: View, { id, name, isFollowed }: { id: number; name: string; isFollowed: boolean }) {
  const wanted = isFollowed ? 'no' : 'yes'
  const whose = view.notifiedTeam === null ? '' : ' the team'
  const button = `${isFollowed ? 'Unsubscribe' : 'Subscribe'}${whose}`
  const form = actionForm(view, {
    action: `/projects/${id}/subscription`,
    button,
    values: { wanted },
    about: `${isFollowed ? 'from' : 'to'} ${clean(name, 100)}`,
  })
  return !view.canFollow ? (isFollowed ? 'yes' : 'no') : form
}

export const projectPage: WebPage = {
  path: '/projects/{id}',
  heavy: true,
  filters: ['type'],
  async show({ params, query, view, call }) {
    const id = params.id!
    const type = (query.type || 'app') as ReleaseType
    const [{ product }, { listed }, { subscribed_ids }, versions] = await Promise.all([
      call('getProject', { params: { id } }),
      listPage(view, (paging) => call('listReleases', { params: { id }, query: { type, ...paging } })),
      call('getMySubscriptions', {}),
      view.viewer.isPro ? call('listClusterVersions', { query: { product_id: Number(id) } }) : undefined,
    ])
    const isFollowed = subscribed_ids.includes(product.id)
    return {
      title: clean(product.name, 150),
      body: html`<h1>${clean(product.name, 200)}</h1>
<p>${clean(product.description, 1000)}</p>
<p class="soft">${[product.category, product.cncf_status].filter(Boolean).join(', ')}. ${link(product.homepage, 'Homepage')} ${link(product.repo_url, 'Repository')} ${link(product.docs_url, 'Documentation')}</p>
<p>${followsWords(view, isFollowed)}</p>
${view.canFollow && followForm(view, { id: product.id, name: product.name, isFollowed })}
${versions && section('versions', 'What runs', versionsPart(view, versions))}
${section(
  'releases',
  'Releases',
  html`${filterForm(view, [{ name: 'type', label: 'Kind', choices: kindsOfRelease }])}
${showTable(view, {
  id: 'releases',
  caption: 'Releases, the newest first',
  columns: releaseColumns(view, type),
  ...listed,
  empty: 'No release of this kind is known.',
})}`,
)}`,
    }
  },
}

function versionsPart(view: View, found: RouteAnswer<'listClusterVersions'>) {
  return html`${drawVerdict(versionsVerdict(found, view.now))}
${showTable(view, {
  id: 'versions',
  caption: 'Versions, the furthest behind first',
  columns: drawColumns(shownVersions, inkFor(view)),
  rows: foldedVersions(found.items),
  most: rowsOfPage,
  json: found,
  empty: 'No cluster is known to run it.',
})}`
}

const shownVersions = [
  ...chosen(versionColumns, 'cluster', 'environment', 'artifact', 'version', 'status', 'step'),
  ...chosen(versionColumns, 'releases_behind', 'days_behind'),
]

const kindsOfRelease = [
  ['app', 'releases'],
  ['helm', 'Helm charts'],
  ['pre', 'pre-releases'],
] as const

/** When a release was published, and what it fixes. */
const releasedColumns: PageColumn<Parameters<typeof securitySaid>[0] & Pick<Release, 'published_at'>>[] = [
  { title: titles.published, value: ({ published_at }) => day(published_at), text: (release) => release.published_at },
  {
    title: titles.security,
    value: (release) => drawSaid(securitySaid(release)),
    text: ({ has_security_fix }) => has_security_fix,
  },
]

/** Only Helm charts have a name of their own. */
function releaseColumns(view: View, type: ReleaseType): PageColumn<Release>[] {
  const chart: PageColumn<Release> = { title: titles.chart, value: ({ chart_name }) => clean(chart_name, 100) || null }
  const impact: PageColumn<Release> = {
    title: titles.impact,
    value: ({ id: release_id }) => view.link('/impact', 'Clusters that need it', { release_id }),
    text: () => '',
  }
  return [
    {
      title: titles.version,
      value: ({ version, url }) => {
        const page = link(url, clean(version, 100))
        return page.toString() === '' ? clean(version, 100) : page
      },
      text: ({ version }) => version,
    },
    ...(type === 'helm' ? [chart] : []),
    ...releasedColumns,
    ...(view.viewer.isPro ? [impact] : []),
  ]
}

function followsWords({ notifiedTeam: team }: View, isFollowed: boolean) {
  if (team === null) return isFollowed ? 'You follow this project.' : 'You do not follow this project.'
  return isFollowed ? `Team ${team} follows this project.` : `Team ${team} does not follow this project.`
}
