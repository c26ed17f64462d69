import { ownAccount } from '../../contract/choices.ts'
import { ReltError } from '../../errors.ts'
import { doneText } from '../../html/pages/done.ts'
import { renderFrame } from '../../html/pages/frame.ts'
import { pages } from '../../html/pages/index.ts'
import { formatCsv } from '../../html/pages/page-table.ts'
import { type Call, type ShownPage, View, type WebPage } from '../../html/pages/view.ts'
import { invoke } from '../../service/invoke.ts'
import type { Service } from '../../service/service.ts'
import { version } from '../../version.ts'
import type { PageForm, PageJob } from '../worker-messages.ts'
import { assetPaths } from './assets.ts'

type Rendered = { text: string; form: PageForm }

/** Creates a function that calls the service on behalf of the viewer, in a team. */
type CallFor = (team: string | undefined) => Call

/** A page, one of its tables, or a redirect to the team that has its subject. */
export async function renderPage(service: Service, job: PageJob, callFor = callsOf(service, job)): Promise<Rendered> {
  const page = pages.find(({ path }) => path === job.page)!
  const { path, params, query, viewer, format } = job
  const { team } = job.asking
  const view = new View({
    path,
    query: { ...query, ...(team !== undefined && { team }) },
    viewer,
    now: service.now(),
  })
  const shown = await page.show({ params, query, view, call: callFor(team) }).catch(async (error: unknown) => {
    const isMissing = error instanceof ReltError && error.code === 'not_found'
    const other = isMissing && team === undefined && (await findTeam(page, view, { params, callFor }))
    if (other) return other
    throw error
  })
  if (typeof shown === 'string') return { text: view.here({ page: query.page, team: shown }), form: 'redirect' }
  if (format !== undefined) return download(view, format, job.table)
  return { text: toFrame(shown, view, doneText(job.done)), form: 'html' }
}

const callsOf =
  (service: Service, { asking }: PageJob): CallFor =>
  (team) =>
  (name, input) =>
    invoke(service, name, { ...input, ...asking, team })

/** Wraps the page in a document; `view` is undefined before sign-in. */
export function toFrame({ title, body }: ShownPage, view: View | undefined, done?: string) {
  return renderFrame({ title, body, done, assets: assetPaths, signedIn: view && { view, pages }, version })
}

/** The team, or `me`, that has the page's subject: links in messages, and shared links, name none. */
async function findTeam(
  page: WebPage,
  { path, query, viewer, now }: View,
  { params, callFor }: { params: PageJob['params']; callFor: CallFor },
) {
  const others = [...viewer.teams, ownAccount].filter((each) => each !== (viewer.team?.name ?? ownAccount))
  for (const team of others) {
    const view = new View({ path, query, viewer, now })
    const isThere = await page.show({ params, query, view, call: callFor(team) }).then(
      () => true,
      () => false,
    )
    if (isThere) return team
  }
  return undefined
}

async function download({ tables }: View, format: string, table: string | undefined): Promise<Rendered> {
  const found = tables.find(({ id }) => id === table)
  if (!found) throw new ReltError('not_found', 'The page has no such table.')
  if (format === 'json') return { text: JSON.stringify(found.json), form: 'json' }
  if (format !== 'csv') throw new ReltError('not_found', 'A table is there as csv and json.')
  return { text: await formatCsv(found), form: 'csv' }
}
