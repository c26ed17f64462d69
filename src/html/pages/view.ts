import { ownAccount } from '../../contract/choices.ts'
import type { RouteAnswer, RouteInput, RouteName } from '../../contract/routes.ts'
import type { TeamRole } from '../../contract/team.ts'
import { html, type Markup } from '../../render/html/markup.ts'
import type { HtmlColumn, TextColumn } from '../../render/html/table.ts'

/** Query parameters of a URL, each at most once. */
export type Query = Readonly<Record<string, string>>

/** Those of the parameters that the URL has. The service validates their words. */
export const given = (query: Query, names: readonly string[]): Record<string, never> =>
  Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name] as never]] : [])))

/** Calls the service on behalf of the viewer. Throws `ReltError`. */
export type Call = <N extends RouteName>(name: N, input: RouteInput<N>) => Promise<RouteAnswer<N>>

/** The signed-in user. */
export interface Viewer {
  login: string
  /** The viewer has a plan with clusters and reports. */
  isPro: boolean
  /** The session's nonce; undefined for a caller with an API key, which cannot submit forms. */
  nonce: string | undefined
  /** Signed in with a read-only API key. */
  isReadOnly: boolean
  /** The team that the page is about; null for the viewer's own account. */
  team: { name: string; role: TeamRole } | null
  teams: string[]
}

/** Markup has a text next to it for CSV, because text is never extracted from markup. */
export type PageColumn<Row> =
  | TextColumn<Row>
  | (HtmlColumn<Row> & { value: (row: Row) => string | number | null; text?: undefined })

/** A table of a page, with its downloads. */
// biome-ignore lint/suspicious/noExplicitAny: a page has tables of different rows
export interface PageTable<Row = any> {
  /** Identifies the table in download URLs. */
  id: string
  caption: string
  columns: PageColumn<Row>[]
  rows: Row[]
  /** Answer of the service that the table shows. */
  json: unknown
  /** Shown instead of an empty table. */
  empty: string | Markup
  /** Set for a paged table. */
  paging?: Paging<Row>
  /** Maximum rows to show of an unpaged table; its downloads have all. */
  most?: number
}

export interface Paging<Row> {
  page: number
  per_page: number
  total: number
  total_pages: number
  /** Rows per request of a download, if requests are slow. */
  most?: number
  list: (page: number, perPage: number) => Promise<Row[]>
}

/** A page being rendered: its URL, its viewer, and its tables. */
export class View {
  /** Path of the page. */
  readonly path: string
  readonly query: Query
  readonly viewer: Viewer
  /** Unix seconds. */
  readonly now: number
  readonly tables: PageTable[] = []

  constructor({ path, query, viewer, now }: Pick<View, 'path' | 'query' | 'viewer' | 'now'>) {
    this.path = path
    this.query = query
    this.viewer = viewer
    this.now = now
  }

  /** A URL of the server with the chosen team. Omits undefined and empty parameters. */
  href(path: string, query: Record<string, string | number | null | undefined> = {}) {
    const chosen = { ...query, team: query.team === undefined ? this.query.team : query.team }
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(chosen)) {
      if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
    }
    return search.size === 0 ? path : `${path}?${search}`
  }

  /** This page with other parameters. */
  here(change: Record<string, string | number | null | undefined>) {
    return this.href(this.path, { ...this.query, page: undefined, ...change })
  }

  link(path: string, label: string | Markup, query: Record<string, string | number | null | undefined> = {}) {
    return html`<a href="${this.href(path, query)}">${label}</a>`
  }

  /** Whether the session may change the viewer's own data. */
  get canSubmit() {
    return this.viewer.nonce !== undefined && !this.viewer.isReadOnly
  }

  /** The team in the URL, whose subscriptions and notifications the page shows. Null: the viewer's own. */
  get notifiedTeam() {
    const { team = ownAccount } = this.query
    return team === ownAccount ? null : team
  }

  /** Whether the viewer may change subscriptions and notifications. */
  get canFollow() {
    return this.notifiedTeam === null ? this.canSubmit : this.canWrite
  }

  /** Whether the viewer may change data of the team or account. */
  get canWrite() {
    return this.canSubmit && this.viewer.team?.role !== 'viewer'
  }
}

interface PageRequest {
  params: Query
  query: Query
  view: View
  call: Call
}

export interface ShownPage {
  title: string
  body: Markup
}

/** A page: its path, and how it renders answers of the service. */
export interface WebPage {
  /** Path below the server's root, such as `/runs/{run_id}`. */
  path: string
  /** Title in the navigation. */
  nav?: string
  /** Who sees it in the navigation. Access is checked by the page's calls. */
  for?: 'pro'
  /** Query parameters besides `page`, `team`, `table` and `format`. */
  filters?: readonly string[]
  /** Its answers can be large, so it is rendered where heavy routes run. */
  heavy?: true
  /** Throws the errors of its calls: without its subject there is no page. */
  show(request: PageRequest): Promise<ShownPage>
}
