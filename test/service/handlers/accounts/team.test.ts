import { expect, test } from 'vitest'
import type { TeamRole } from '../../../../src/contract/team.ts'
import { addMember } from '../../../../src/operations/accounts/grant.ts'
import { findOwner } from '../../../../src/store/accounts/owner.ts'
import { addTeam } from '../../../../src/store/accounts/team.ts'
import { addUser, getLocalUser, type User } from '../../../../src/store/accounts/user.ts'
import { openService, refusalFor } from '../../../operations/service.ts'

const row = { check: 'SEC001', severity: 'high', resource: 'pod/a', message: 'm' }

async function openTeam() {
  const service = await openService()
  const { db, clock } = service
  // An id of an owner that is no user's, so that the two are not taken for each other.
  await db.insertInto('team').values({ name: 'earlier', created_at: clock.now }).execute()
  const teamId = await addTeam(db, 'early', clock.now)
  const add = (login: string) => addUser(db, { login, email: null, role: 'user', plan: 'pro' }, clock.now)
  const [ada, bea, eve] = [await add('ada'), await add('bea'), await add('eve')]
  const join = (user: User, role: TeamRole, options: { team?: number } = {}) => {
    const { team = teamId } = options
    return addMember(db, service.vault, { teamId: team, userId: user.id, role })
  }
  return { ...service, teamId, ada, bea, eve, join }
}

test('members of a team share its runs, and nobody else finds them', async () => {
  const { upload, call, ada, bea, eve, join } = await openTeam()
  await join(ada, 'member')
  await join(bea, 'viewer')
  const { run_id } = await upload([row], { user: ada })
  expect((await call('listReports', { user: bea })).items.map((run) => run.run_id)).toEqual([run_id])
  const params = { run_id }
  expect(await call('getReport', { params, user: bea })).toMatchObject({ run_id })
  expect(await refusalFor(call('getReport', { params, user: eve }))).toBe(`not_found: No run with id ${run_id}.`)
  expect(await call('listReports', { user: eve })).toMatchObject({ items: [], total: 0 })
})

test('runs from before a user joined a team stay with the user', async () => {
  const { upload, call, ada, bea, join } = await openTeam()
  const { run_id } = await upload([row], { user: ada })
  await join(ada, 'owner')
  await join(bea, 'owner')
  for (const user of [ada, bea]) expect(await call('listReports', { user })).toMatchObject({ items: [] })
  expect(await call('listReports', { user: ada, team: 'me' })).toMatchObject({ items: [{ run_id }] })
})

test('a caller chooses another of their teams, and no foreign one', async () => {
  const service = await openTeam()
  const { upload, call, ada, bea, join } = service
  const other = await addTeam(service.db, 'other', service.clock.now)
  await join(ada, 'member')
  await join(ada, 'member', { team: other })
  await join(bea, 'viewer')
  const { run_id } = await upload([row], { user: ada })
  expect(await call('listReports', { user: ada, team: 'other' })).toMatchObject({ items: [] })
  expect(await call('listReports', { user: ada, team: 'early' })).toMatchObject({ items: [{ run_id }] })
  for (const team of ['other', 'none', '']) {
    expect(await refusalFor(call('listReports', { user: bea, team }))).toBe(
      `not_found: You are in no team named ${team}.`,
    )
    // Also where no team matters: a wrong name is never ignored.
    expect(await refusalFor(call('listLabels', { user: bea, team }))).toBe(
      `not_found: You are in no team named ${team}.`,
    )
  }
})

test.each([
  ['viewer', ['listReports']],
  ['member', ['listReports', 'uploadReport', 'createConfig']],
  ['owner', ['listReports', 'uploadReport', 'createConfig', 'deleteReport']],
] as const)('a %s may do what the role allows', async (role, allowed: readonly string[]) => {
  const { upload, call, ada, bea, join } = await openTeam()
  await join(ada, 'owner')
  await join(bea, role)
  const { run_id } = await upload([row], { user: ada })
  const calls = {
    listReports: () => call('listReports', { user: bea }),
    uploadReport: () => upload([{ ...row, message: 'another' }], { user: bea }),
    createConfig: () => call('createConfig', { user: bea, body: { name: 'shop' } }),
    deleteReport: () => call('deleteReport', { user: bea, params: { run_id } }),
  }
  const needed = { listReports: 'viewer', uploadReport: 'member', createConfig: 'member', deleteReport: 'owner' }
  for (const [name, ask] of Object.entries(calls)) {
    const wanted = needed[name as keyof typeof needed]
    const refusal = `forbidden: This needs the role ${wanted} in the team early; your role is ${role}.`
    expect(await refusalFor(ask()), name).toBe(allowed.includes(name) ? 'none' : refusal)
  }
})

test('a user without a team is owner of their own account', async () => {
  const { db, eve } = await openTeam()
  const own = await findOwner(db, eve.id)
  expect(own).toMatchObject({ role: 'owner', team: null, plan: 'pro' })
  expect(own?.id).not.toBe(eve.id)
  expect(await findOwner(db, eve.id, 'me')).toEqual(own)
  expect(await findOwner(db, 999)).toBeUndefined()
})

test('the limits of a team are those of the highest plan of its members', async () => {
  const { db, ada, bea, join } = await openTeam()
  await db.updateTable('user').set({ plan: 'free' }).where('login', '=', 'ada').execute()
  await db.updateTable('user').set({ plan: 'pro_plus' }).where('login', '=', 'bea').execute()
  await join(ada, 'owner')
  expect((await findOwner(db, ada.id))?.plan).toBe('free')
  await join(bea, 'viewer')
  expect((await findOwner(db, ada.id))?.plan).toBe('pro_plus')
})

test('owners of a team change its members; others read them, and outsiders find no team', async () => {
  const { db, call, ada, bea, eve, join } = await openTeam()
  await join(ada, 'owner')
  await join(bea, 'member')
  const team = 'early'
  const get = (user: User) => call('getTeam', { user, params: { team } })
  expect(await get(bea)).toMatchObject({
    role: 'member',
    members: 2,
    items: [
      { login: 'ada', role: 'owner' },
      { login: 'bea', role: 'member' },
    ],
  })
  const changes = (user: User) => [
    call('addTeamMember', { user, params: { team }, body: { login: 'eve', role: 'owner' } }),
    call('setTeamRole', { user, params: { team, login: 'bea' }, body: { role: 'owner' } }),
    call('removeTeamMember', { user, params: { team, login: 'ada' } }),
  ]
  for (const change of changes(bea)) {
    expect(await refusalFor(change)).toBe(
      'forbidden: Only owners change the members of team early; your role is member.',
    )
  }
  for (const change of [get(eve), ...changes(eve)]) {
    expect(await refusalFor(change)).toBe('not_found: You are in no team named early.')
  }
  expect(await refusalFor(call('getTeam', { user: eve, params: { team: 'none' } }))).toBe(
    'not_found: You are in no team named none.',
  )

  const added = await call('addTeamMember', { user: ada, params: { team }, body: { login: 'eve', role: 'viewer' } })
  expect(added.items.at(-1)).toEqual({ login: 'eve', role: 'viewer' })
  expect((await get(eve)).role).toBe('viewer')
  const again = call('addTeamMember', { user: ada, params: { team }, body: { login: 'eve', role: 'owner' } })
  expect(await refusalFor(again)).toBe('conflict: eve is a member of team early already.')
  await call('removeTeamMember', { user: ada, params: { team, login: 'eve' } })
  expect(await refusalFor(get(eve))).toMatch(/^not_found/)

  // Neither demoted nor removed: nobody could change the team afterwards.
  const last = [
    call('setTeamRole', { user: ada, params: { team, login: 'ada' }, body: { role: 'member' } }),
    call('removeTeamMember', { user: ada, params: { team, login: 'ada' } }),
  ]
  for (const change of last) expect(await refusalFor(change)).toBe('conflict: Team early would have no owner.')
  expect((await get(ada)).items).toHaveLength(2)
  await call('setTeamRole', { user: ada, params: { team, login: 'bea' }, body: { role: 'owner' } })
  expect(await call('removeTeamMember', { user: ada, params: { team, login: 'ada' } })).toMatchObject({
    items: [{ login: 'bea', role: 'owner' }],
  })
  const audit = await db.selectFrom('audit').select(['action', 'subject']).where('action', 'like', 'team.%').execute()
  expect(audit.map(({ action, subject }) => `${action} ${subject}`)).toEqual([
    'team.add-member early/eve',
    'team.remove-member early/eve',
    'team.set-role early/bea',
    'team.remove-member early/ada',
  ])
})

test('on the files of a store every team is managed, but not with a key of the local user', async () => {
  const { db, clock, call } = await openTeam()
  const local = await getLocalUser(db, clock.now)
  const params = { team: 'early' }
  const body = { login: 'ada', role: 'owner' } as const
  const user = { ...local, key: { uuid: 'a', scope: 'all', expiresAt: null } } as const
  for (const refused of [call('getTeam', { params, user }), call('addTeamMember', { params, body, user })]) {
    expect(await refusalFor(refused)).toBe('not_found: You are in no team named early.')
  }
  expect(await call('getCurrentKey', { user })).toMatchObject({ teams: [] })
  expect(await call('addTeamMember', { params, body, user: local })).toMatchObject({ items: [body] })
  expect((await call('getCurrentKey', { user: local })).teams?.map(({ name }) => name)).toEqual(['earlier', 'early'])
})
