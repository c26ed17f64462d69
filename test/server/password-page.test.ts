import { expect, test } from 'vitest'
import { dump } from '../operations/service.ts'
import { openSite, password } from './site.ts'

const wanted = 'another horse battery'

test('a user changes the password, which ends all other sessions', async () => {
  const { open, submit, signIn, ada, db } = await openSite()
  const [here, elsewhere, eve] = [await signIn('ada'), await signIn('ada'), await signIn('eve')]
  const fields = { current_password: password, new_password: wanted, repeated_password: wanted, confirmed: 'yes' }
  const send = (more: object, by = here) =>
    submit('/account/password', { _wpnonce: by.nonce, ...fields, ...more }, by.headers)

  const before = await db.selectFrom('user').select(['login', 'password_hash']).execute()
  for (const [more, status] of [
    [{ _wpnonce: '' }, 403],
    [{ _wpnonce: eve.nonce }, 403],
    [{ current_password: 'wrong horse battery' }, 403],
    [{ current_password: '' }, 403],
    [{ new_password: 'short', repeated_password: 'short' }, 400],
    [{ new_password: password, repeated_password: password }, 400],
    [{ repeated_password: 'something else' }, 400],
    [{ confirmed: '' }, 400],
  ] as const) {
    expect([more, (await send(more)).status]).toEqual([more, status])
  }
  const foreign = await submit(
    '/account/password',
    { _wpnonce: here.nonce, ...fields },
    {
      ...here.headers,
      'sec-fetch-site': 'cross-site',
    },
  )
  expect(foreign.status).toBe(403)
  expect(await db.selectFrom('user').select(['login', 'password_hash']).execute()).toEqual(before)

  const page = await open('/account', { headers: here.headers })
  expect(page.body).toContain('autocomplete="current-password"')
  const changed = await send({})
  expect([changed.status, changed.headers.get('location')]).toEqual([303, '/account?done=password-changed'])
  const cookie = changed.headers.getSetCookie()[0]!.split(';')[0]!
  expect((await open('/account?done=password-changed', { headers: { cookie } })).body).toContain(
    'The password is changed',
  )
  for (const { headers } of [here, elsewhere]) expect((await open('/account', { headers })).status).toBe(303)
  expect((await open('/account', { headers: eve.headers })).status).toBe(200)
  expect((await submit('/sign-in', { username: 'ada', password })).status).toBe(401)
  expect((await submit('/sign-in', { username: 'ada', password: wanted })).status).toBe(303)
  expect((await open('/account', { headers: ada.headers })).status).toBe(200)
  const audit = await db.selectFrom('audit').select(['login', 'subject']).where('action', '=', 'user.change-password')
  expect(await audit.execute()).toEqual([{ login: 'ada', subject: 'ada' }])
  expect(JSON.stringify(await dump(db))).not.toContain(wanted)
})

test('guesses of the current password count like those of a sign-in', async () => {
  const { submit, signIn } = await openSite({ failuresPerMinute: 3 })
  const { headers, nonce } = await signIn('ada')
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) {
    const fields = { _wpnonce: nonce, new_password: wanted, repeated_password: wanted, confirmed: 'yes' }
    statuses.push(
      (await submit('/account/password', { ...fields, current_password: `guess ${i} of it` }, headers)).status,
    )
  }
  expect(statuses[0]).toBe(403)
  expect(statuses.at(-1)).toBe(429)
})

test('a session of an API key changes no password', async () => {
  const { open, submit, ada } = await openSite()
  const answer = await submit('/sign-in', { username: 'ada', password: ada.key })
  const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!
  const page = await open('/account', { headers: { cookie } })
  expect(page.body).toContain('You signed in with an API key')
  const [, nonce = ''] = /name="_wpnonce" value="(\w+)"/.exec(page.body)!
  const fields = { current_password: password, new_password: wanted, repeated_password: wanted, confirmed: 'yes' }
  expect((await submit('/account/password', { _wpnonce: nonce, ...fields }, { cookie })).status).toBe(403)
  expect((await submit('/sign-in', { username: 'ada', password })).status).toBe(303)
})
