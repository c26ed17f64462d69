import { ownAccount } from '../../contract/choices.ts'
import type { RouteAnswer, RouteInput, RouteName } from '../../contract/routes.ts'
import type { TeamRole } from '../../contract/team.ts'
import { html, type Markup } from '../../render/html/markup.ts'
import type { HtmlColumn, TextColumn } from '../../render/html/table.ts'

/** Parameters of an address, each once. */
export type Query = Readonly<Record<string, string>>

/** A call of the service in the name of the viewer. Throws `ReltError`. */
export type Call = <N extends RouteName>(name: N, input: RouteInput<N>) => Promise<RouteAnswer<N>>

/** The signed-in user. */
export interface Viewer {
  login: string
  isAdmin: boolean
  /** Has the plan for clusters and reports. */
  isPro: boolean
  /** Of the session; undefined for a caller with an API key, which submits no form. */
  nonce: string | undefined
  /** Signed in with an API key that only reads. */
  isReadOnly: boolean
  /** The team that the page is about; null for the own account. */
  team: { name: string; role: TeamRole } | null
  teams: string[]
}

/** Markup has its text beside it: for CSV, nothing is read back from markup. */
export type PageColumn<Row> =
  | TextColumn<Row>
  | (HtmlColumn<Row> & { value: (row: Row) => string | number | null; text?: undefined })

/** A table with its downloads. */
// biome-ignore lint/suspicious/noExplicitAny: a page has tables of different rows
export interface PageTable<Row = any> {
  /** In addresses of downloads. */
  id: string
  caption: string
  columns: PageColumn<Row>[]
  rows: Row[]
  /** Answer of the service that the table shows. */
  json: unknown
  /** In place of a table without rows. */
  empty: string | Markup
  /** Of a table that is listed in pages. */
  paging?: Paging<Row>
  /** Number of rows to show of a table without pages; its downloads have all. */
  most?: number
}

export interface Paging<Row> {
  page: number
  per_page: number
  total: number
  total_pages: number
  /** Rows that a download asks for at a time, where each call takes long. */
  most?: number
  list: (page: number, perPage: number) => Promise<Row[]>
}

interface ViewOptions {
  /** Path of the page. */
  path: string
  query: Query
  viewer: Viewer
  /** Unix seconds. */
  now: number
}

/** A page while it is made: its address, its viewer, and the tables that it shows. */
export class View {
  readonly path: string
  readonly query: Query
  readonly viewer: Viewer
  readonly now: number
  readonly tables: PageTable[] = []

  constructor({ path, query, viewer, now }: ViewOptions) {
    this.path = path
    this.query = query
    this.viewer = viewer
    this.now = now
  }

  /** An address of the server that stays in the chosen team. Undefined and empty parameters are left out. */
  href(path: string, query: Record<string, string | number | null | undefined> = {}): string {
    const chosen = { ...query, team: query.team === undefined ? this.query.team : query.team }
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(chosen)) {
      if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
    }
    return search.size === 0 ? path : `${path}?${search}`
  }

  /** This page with other parameters. */
  here(change: Record<string, string | number | null | undefined>): string {
    return this.href(this.path, { ...this.query, page: undefined, ...change })
  }

  link(path: string, label: string | Markup, query: Record<string, string | number | null | undefined> = {}): Markup {
    return html`<a href="${this.href(path, query)}">${label}</a>`
  }

  /** Has a session that may change what is the viewer's own. */
  get canSubmit(): boolean {
    return this.viewer.nonce !== undefined && !this.viewer.isReadOnly
  }

  /** The team whose subscriptions and notifications the page is about: one that its address names. Null: the viewer's own. */
  get notifiedTeam(): string | null {
    const { team = ownAccount } = this.query
    return team === ownAccount ? null : team
  }

  /** May change these. */
  get canFollow(): boolean {
    return this.notifiedTeam === null ? this.canSubmit : this.canWrite
  }

  /** The same for what belongs to the team or the account. */
  get canWrite(): boolean {
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

/** One page: where it is, and how answers of the service become its body. */
export interface WebPage {
  /** Below the root of the server, such as `/runs/{run_id}`. */
  path: string
  /** Title of its entry in the navigation. */
  nav?: string
  /** Entries of others are left out of the navigation; the calls of a page decide about access. */
  for?: 'pro' | 'admin'
  /** Parameters that its address may have, beside `page`, `team`, `table` and `format`. */
  filters?: readonly string[]
  /** Its answers can be large, so it is made where heavy routes are answered. */
  heavy?: true
  /** Throws what its calls throw: without its subject there is no page. */
  show(request: PageRequest): Promise<ShownPage>
}
