import { ReltError } from '../../errors.ts'
import { pages } from '../../html/pages/index.ts'
import { type Call, View, type Viewer, type WebPage } from '../../html/pages/view.ts'
import { findKnownBrowser } from '../../operations/accounts/known-caller.ts'
import type { Service } from '../../service/service.ts'
import type { User } from '../../store/accounts/user.ts'
import { matchPath } from '../../util/match-path.ts'
import type { Parts } from '../http/addresses.ts'
import { apiAddress } from '../http/base-path.ts'
import { readForm } from '../http/body.ts'
import { browserTokensFor } from '../http/cookies.ts'
import { createCall } from '../http/create-call.ts'
import { identify, isSame } from '../http/identify.ts'
import { replyText } from '../http/reply.ts'
import { refuseForeignPages } from '../http/same-origin.ts'
import type { HttpContext, RequestState } from '../http/state.ts'
import type { Work } from '../http/work.ts'
import type { PageJob } from '../worker-messages.ts'
import { confirming, findAction, safeNext } from './actions.ts'
import { findAsset } from './assets.ts'
import { renderPage } from './render-page.ts'
import { replyDocument, replyPage, showError, signInPath } from './reply-page.ts'
import {
  changeOwnPassword,
  endSession,
  passwordPath,
  redirect,
  showSignIn,
  signOutPath,
  startSession,
} from './sign-in.ts'

export interface PageContext extends Parts {
  answerUnknown: (c: HttpContext) => Promise<Response>
  noteFailure: (error: unknown) => void
}

/** Handles every path outside the API: pages, their assets, and form actions. */
export async function answerPage(c: HttpContext, context: PageContext) {
  const { isStopping, noteFailure } = context
  const asset = findAsset(c)
  if (asset) return asset
  try {
    if (isStopping()) throw new ReltError('busy', 'The server is going down.')
    return await answer(c, context)
  } catch (error) {
    noteFailure(error)
    return showError(c, error, await viewOfFailure(c, error, context))
  }
}

/** Error pages keep the navigation, except on an overloaded server. */
async function viewOfFailure(c: HttpContext, error: unknown, context: PageContext) {
  const { user } = c.get('state')
  const isBusy = error instanceof ReltError && ['busy', 'rate_limited', 'internal'].includes(error.code)
  if (!user || isBusy || !(error instanceof ReltError)) return undefined
  return openView(c, { user, call: createCall(c, { user, team: undefined }, context), service: context.service }).catch(
    () => undefined,
  )
}

async function answer(c: HttpContext, context: PageContext) {
  const { signIns, takeTurn, answerUnknown } = context
  const { method, path } = c.req
  const isRead = method === 'GET' || method === 'HEAD'
  const found = isRead ? matchPath(pages, path) : method === 'POST' ? findAction(path) : undefined
  const isSignIn = path === signInPath || path === signOutPath
  const isPassword = !isRead && path === passwordPath
  if (!found && !isSignIn && !isPassword) {
    if (!isRead || !c.req.header('accept')?.includes('text/html')) return answerUnknown(c)
    throw new ReltError('not_found', 'There is no page at this address.')
  }
  Object.assign(c.get('state'), { route: 'page', path: found?.entry.path ?? path })
  context.refuseHost(c)
  refuseForeignPages(c)
  await identify(c, signIns)
  const state = c.get('state')
  // Reading a page changes nothing, and other sites cannot read it, so the cookie suffices.
  if (isRead) state.user ??= state.session?.user
  // A separate limit: other callers at the same address must not prevent a user from signing in.
  const { vault, now } = context.service
  takeTurn(c, isSignIn ? await findKnownBrowser(vault, browserTokensFor(c), now()) : undefined)
  if (path === signInPath) return isRead ? showSignIn(c) : startSession(c, signIns)
  if (isRead) {
    if (path === signOutPath) throw new ReltError('not_found', 'There is no page at this address.')
    if (!state.user) return refuseAnonymous(c)
    return context.slots.make(c, 'a page', () => showPage(c, found as PageMatch, state.user!, context))
  }
  return submitForm(c, found as ActionMatch | undefined, context)
}

type ActionMatch = NonNullable<ReturnType<typeof findAction>>

/** Undefined for the actions that sign out or change the password. */
async function submitForm(c: HttpContext, found: ActionMatch | undefined, context: PageContext) {
  const { signIns, service } = context
  const { path } = c.req
  const state = c.get('state')
  const fields = await readForm(c)
  const { session } = state
  if (!session) throw new ReltError('unauthenticated', 'Your session has ended. Sign in, and send the form again.')
  if (!isSame(fields._wpnonce ?? '', session.nonce)) {
    throw new ReltError('forbidden', 'This form is from another session. Reload the page, and try again.')
  }
  state.user = session.user
  if (path === signOutPath) return endSession(c, signIns)
  if (path === passwordPath) return changeOwnPassword(c, { user: session.user, fields }, signIns)
  const { entry, params } = found!
  const call = createCall(c, { user: session.user, team: toTeam(c) }, context)
  if ('change' in entry) {
    await entry.change(call, { params, fields })
    return redirect(c, confirming(safeNext(fields.next), entry.done(fields)))
  }
  const view = await openView(c, { user: session.user, call, service })
  const next = await entry.lead(call, { params, fields }, view)
  return typeof next === 'object' ? replyPage(c, { ...next, view }) : redirect(c, next)
}

interface PageMatch {
  entry: WebPage
  params: Record<string, string>
}

const toTeam = (c: HttpContext) => c.req.query('team') || c.get('state').team

function refuseAnonymous(c: HttpContext) {
  const { pathname, search } = new URL(c.req.url)
  if (c.req.query('format')) throw new ReltError('unauthenticated', 'Sign in to download this.')
  const next = pathname + search
  return redirect(c, next === '/' ? signInPath : `${signInPath}?next=${encodeURIComponent(next)}`)
}

async function showPage(c: HttpContext, { entry, params }: PageMatch, user: User, context: PageContext) {
  const { service, work } = context
  const state = c.get('state')
  const team = toTeam(c)
  const given = new URL(c.req.url).searchParams
  const known = new Set(['page', ...(entry.filters ?? [])])
  const query = Object.fromEntries([...given].filter(([name, value]) => known.has(name) && value !== ''))
  const { format, table, done } = Object.fromEntries(given)
  const callFor = (team: string | undefined) => createCall(c, { user, team }, context)
  const job: PageJob = {
    page: entry.path,
    path: c.req.path,
    params,
    query,
    format,
    table,
    done,
    asking: { user, team, requestId: state.requestId, server: apiAddress(state) },
    viewer: await viewerFor(c, user, callFor(team), service),
  }
  const { text, form } = entry.heavy ? await inWorker(state, job, work) : await renderPage(service, job, callFor)
  if (form === 'redirect') return redirect(c, text)
  if (form === 'html') return replyDocument(c, text)
  if (form === 'json') return replyText(c, text)
  return replyText(c, text, {
    type: 'text/csv; charset=utf-8',
    headers: { 'Content-Disposition': `attachment; filename="relt-${table}.csv"` },
  })
}

/** Parsing and rendering large answers is slow, too. */
async function inWorker(state: RequestState, job: PageJob, work: Work) {
  const { bytes, form } = await work.heavy(state, job)
  return { text: Buffer.from(bytes).toString('utf8'), form }
}

async function openView(c: HttpContext, { user, call, service }: { user: User; call: Call; service: Service }) {
  const team = toTeam(c)
  return new View({
    path: c.req.path,
    query: team === undefined ? {} : { team },
    viewer: await viewerFor(c, user, call, service),
    now: service.now(),
  })
}

async function viewerFor(c: HttpContext, user: User, call: Call, { plans }: Service): Promise<Viewer> {
  const { team = null, teams = [] } = await call('getCurrentKey', {})
  return {
    login: user.login,
    isPro: plans[user.plan].proFeatures,
    nonce: c.get('state').session?.nonce,
    isReadOnly: user.key?.scope === 'read',
    team,
    teams: teams.map(({ name }) => name),
  }
}
