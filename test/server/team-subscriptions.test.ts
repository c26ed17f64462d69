import { expect, test } from 'vitest'
import { addMember } from '../../src/operations/accounts/grant.ts'
import { getTeamId } from '../../src/store/accounts/team.ts'
import { openSite } from './site.ts'

test('members see who of their team follows what; nobody else does', async () => {
  const { db, service, ada, eve, call } = await openSite()
  const follow = (headers: Record<string, string>, product_id: number) =>
    call('/toggle-sub', { headers, body: { product_id } })
  const followed = async (headers: Record<string, string>, query = '') =>
    (await call(`/teams/platform/subscriptions${query}`, { headers })).body
  await follow(ada.headers, 1)
  await follow(ada.headers, 2)
  await follow(eve.headers, 2)
  await follow(eve.headers, 3)
  expect((await followed(ada.headers)).items.map((each: { product_id: number }) => each.product_id).sort()).toEqual([
    1, 2,
  ])
  expect((await call('/teams/platform/subscriptions', { headers: eve.headers })).status).toBe(404)
  const teamId = await getTeamId(db, 'platform')
  const member = { teamId, userId: eve.user.id, role: 'viewer' } as const
  await addMember(db, await service.vault(), member)
  const { total, items } = await followed(eve.headers, '?per_page=2')
  expect([total, items.length]).toEqual([3, 2])
  expect((await followed(eve.headers, '?product_id=2')).items).toMatchObject([
    { product_id: 2, followers: ['ada', 'eve'] },
  ])
  expect((await followed(eve.headers, '?product_id=4')).items).toEqual([])
})
