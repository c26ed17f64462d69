import { afterAll, beforeAll, expect, test } from 'vitest'
import { teamRoles } from '../../../src/contract/choices.ts'
import type { Route } from '../../../src/contract/routes.ts'
import type { TeamRole } from '../../../src/contract/team.ts'
import { addMember } from '../../../src/operations/accounts/grant.ts'
import { getTeamId } from '../../../src/store/accounts/team.ts'
import { dump } from '../../operations/service.ts'
import { everyRoute } from './all.ts'
import { transports } from './ask.ts'
import { mismatches } from './shape.ts'
import { openWorld, useKey } from './world.ts'

const forbidden = { status: 403, code: 'rest_forbidden' }
const notFound = { status: 404, code: 'rest_no_route' }

/** The role that a route asks for, written down from its method: reading, writing, deleting. */
const roleNeeded: Record<Route['method'], TeamRole> = { GET: 'viewer', POST: 'member', PUT: 'member', DELETE: 'owner' }

async function openTeam(whenDone?: (close: () => Promise<void>) => void) {
  const world = await openWorld(whenDone, { inTeam: true })
  const teamId = await getTeamId(world.db, 'team')
  const join = async (role: TeamRole) => {
    const caller = await world.signUp(`colleague-${role}`, { role: 'admin', plan: 'pro_plus' })
    const member = { teamId, userId: caller.user.id, role }
    await addMember(world.db, await world.service.vault(), member)
    await useKey(world, caller.headers)
    return caller
  }
  const colleagues = { viewer: await join('viewer'), member: await join('member'), owner: await join('owner') }
  return { ...world, colleagues }
}

/** The table again, with colleagues of the owner, and somebody outside of the team. */
export function checkTeams(): void {
  let shared: Awaited<ReturnType<typeof openTeam>>
  let close: (() => Promise<void>) | undefined
  beforeAll(async () => {
    shared = await openTeam((how) => {
      close = how
    })
  })
  afterAll(() => close?.())

  const ofTeam = everyRoute.filter(([, { role }]) => role !== undefined)

  test('every route about clusters, runs and profiles has a role that fits its method', () => {
    const aboutShared = /^\/(cluster|finding|exception|impact|owners|gate-policy|gate-baselines)/
    for (const [name, { method, path, role }] of everyRoute) {
      if (aboutShared.test(path)) expect(role, name).toBe(roleNeeded[method])
      else if (role !== undefined) expect([role, name]).toEqual([name === 'agentHeartbeat' ? 'member' : 'viewer', name])
    }
  })

  // Their answers have something of the caller's own, too.
  const personal = ['getFeed', 'getDashboard', 'getDashboardActivity', 'getCurrentKey']
  test.each(ofTeam)('%s answers a colleague as it answers the owner', async (name, route, rows) => {
    const { method, role, status = 200 } = route
    const calls = [{ call: rows.good, answer: rows.answer }, ...(rows.more ?? [])]
    for (const [, ask] of transports) {
      for (const { call, answer } of calls) {
        const made = await call(shared)
        const outcome = await ask(shared, name, made, shared.colleagues[role!])
        expect(outcome).toMatchObject({ status })
        expect(mismatches(answer, outcome.answer).filter((each) => !each.endsWith(' is empty'))).toEqual([])
        if (method === 'GET' && !personal.includes(name)) {
          expect(outcome).toEqual(await ask(shared, name, made, shared.owner))
        }
      }
    }
  })

  test.each(ofTeam)('%s refuses a role that does not suffice, and does nothing', async (name, { role }, rows) => {
    for (const each of teamRoles.slice(0, teamRoles.indexOf(role!))) {
      const call = await rows.good(shared)
      const before = await dump(shared.db)
      for (const [, ask] of transports)
        expect(await ask(shared, name, call, shared.colleagues[each])).toEqual(forbidden)
      expect(await dump(shared.db)).toEqual(before)
    }
  })

  const ofAccount = everyRoute.filter(([, { account }]) => account !== undefined)
  test.each(ofAccount)('%s for the team refuses a role that does not suffice', async (name, { account }, rows) => {
    const call = await rows.good(shared)
    const before = await dump(shared.db)
    for (const each of teamRoles.slice(0, teamRoles.indexOf(account!))) {
      const caller = { ...shared.colleagues[each], team: 'team' }
      for (const [, ask] of transports) expect(await ask(shared, name, call, caller)).toEqual(forbidden)
    }
    expect(await dump(shared.db)).toEqual(before)
  })

  const withIds = everyRoute.filter(([, { path, access }]) => path.includes('{') && access !== 'public')
  test.each(withIds)('%s does not know the id for anybody outside', async (name, { role, account }, rows) => {
    const { other, colleagues, owner } = shared
    const call = await rows.good(shared)
    const before = await dump(shared.db)
    const outside = [
      other,
      // In their own accounts, colleagues and the owner have nothing of the team.
      ...(role === undefined ? [] : [owner, colleagues.owner].map((caller) => ({ ...caller, team: 'me' }))),
      // What is personal stays personal in a team.
      ...(role === undefined ? [colleagues.owner] : []),
      { ...other, team: 'team' },
      // The owner's own are not the team's.
      ...(account === undefined ? [] : [{ ...owner, team: 'team' }]),
      { ...owner, team: 'empty' },
      { ...owner, team: 'none' },
    ]
    for (const caller of outside) {
      for (const [, ask] of transports) expect(await ask(shared, name, call, caller)).toEqual(notFound)
    }
    expect(await dump(shared.db)).toEqual(before)
  })

  test.each(everyRoute)('%s knows no team that the caller is not in', async (name, _, rows) => {
    const call = await rows.good(shared)
    const before = await dump(shared.db)
    for (const team of ['team', 'none']) {
      for (const [, ask] of transports)
        expect(await ask(shared, name, call, { ...shared.other, team })).toEqual(notFound)
    }
    expect(await dump(shared.db)).toEqual(before)
  })

  test('lists of somebody outside have nothing of the team', async () => {
    const { other } = shared
    for (const [, ask] of transports) {
      expect(await ask(shared, 'listReports', {}, other)).toMatchObject({ answer: { total: 0, items: [] } })
      expect(await ask(shared, 'listConfigs', {}, other)).toMatchObject({ answer: { total: 0, items: [] } })
      expect(await ask(shared, 'getImpact', {}, other)).toMatchObject({ answer: { summary: { clusters_seen: 0 } } })
      expect(await ask(shared, 'reportTrends', { query: { group_by_cluster: 'true' } }, other)).toMatchObject({
        answer: { clusters: [] },
      })
      expect(await ask(shared, 'compareReports', { query: { to_run_id: shared.ids.run } }, other)).toEqual(notFound)
    }
  })

  test('the caller learns for which team they act, and over HTTP that the server knows it', async () => {
    const { colleagues } = shared
    const mine = { name: 'team', role: 'viewer', is_default: true }
    for (const [, ask] of transports) {
      expect(await ask(shared, 'getCurrentKey', {}, colleagues.viewer)).toMatchObject({
        answer: { team: { name: 'team', role: 'viewer' }, teams: [mine] },
      })
      expect(await ask(shared, 'getCurrentKey', {}, { ...colleagues.viewer, team: 'me' })).toMatchObject({
        answer: { team: null, teams: [mine] },
      })
      expect(await ask(shared, 'getCurrentKey', {}, shared.other)).toMatchObject({ answer: { team: null, teams: [] } })
    }
    const { headers } = colleagues.viewer
    const chosen = await shared.call('/labels', { headers: { ...headers, 'x-relt-team': 'team' } })
    expect(chosen.headers.get('x-relt-team')).toBe('team')
    expect((await shared.call('/labels', { headers })).headers.get('x-relt-team')).toBeNull()
  })

  test('a batch acts for the team of its header, also where it is only checked', async () => {
    const { colleagues, call } = shared
    const requests = [{ path: '/relt/v1/cluster-configs', body: { name: 'of a batch' } }]
    for (const validation of ['normal', 'require-all-validate']) {
      const send = async (role: TeamRole, team: string) => {
        const headers = { ...colleagues[role].headers, 'x-relt-team': team }
        const { body } = await call('/api/batch/v1', { absolute: true, headers, body: { validation, requests } })
        return body.responses[0].status
      }
      expect(await send('viewer', 'team')).toBe(403)
      expect(await send('viewer', 'me')).toBe(200)
      expect(await send('member', 'team')).toBe(200)
      expect(await send('member', 'none')).toBe(404)
    }
  })
}
