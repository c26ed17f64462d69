import { expect, test } from 'vitest'
import { unsubscribeToken } from '../../src/operations/notifications/unsubscribe.ts'
import { listAudit } from '../../src/store/accounts/audit.ts'
import { openHttp } from './http.ts'

async function openMails() {
  const http = await openHttp()
  const { headers, user } = await http.signUp('ada')
  const follow = async (product_id: number, email_frequency: string): Promise<number> => {
    const { body } = await http.call('/toggle-sub', { headers, body: { product_id } })
    const { subscription_id } = body
    await http.call('/update-settings', { headers, body: { subscription_id, email_enabled: true, email_frequency } })
    return subscription_id
  }
  const [perApp, other] = [await follow(1, 'per_app'), await follow(2, 'per_app')]
  const [daily, weekly] = [await follow(3, 'daily'), await follow(4, 'weekly')]
  const mailed = async () => {
    const { body } = await http.call('/subscriptions', { headers })
    return body.subscriptions
      .filter((each: Mailed) => each.email_enabled)
      .map(({ id }: Mailed) => id)
      .sort()
  }
  const vault = await http.service.vault()
  const link = (scope: Parameters<typeof unsubscribeToken>[1]) => `/unsubscribe?token=${unsubscribeToken(vault, scope)}`
  const visit = (path: string, method: 'GET' | 'POST', body?: string) =>
    http.call(path, {
      absolute: true,
      method,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
      ...(body !== undefined && { body }),
    })
  return { ...http, headers, user, perApp, other, daily, weekly, mailed, link, visit }
}

interface Mailed {
  id: number
  email_enabled: boolean
}

test('a link shows a button and changes nothing', async () => {
  const { link, visit, mailed, user, perApp, other, daily, weekly } = await openMails()
  const { status, headers, body } = await visit(
    link({ userId: user.id, scope: 'subscription', subscriptionId: perApp }),
    'GET',
  )
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(body).toMatch(/<h1>Stop mails about [^<]+\?<\/h1><form method="post"><button type="submit">Unsubscribe/)
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(await mailed()).toEqual([perApp, other, daily, weekly])
})

test('one click of a mail program ends exactly the mails of the link, without a cookie, and again changes nothing', async () => {
  const { link, visit, mailed, user, perApp, other, daily, weekly, db } = await openMails()
  const ofProject = link({ userId: user.id, scope: 'subscription', subscriptionId: perApp })
  for (let i = 0; i < 2; i++) {
    expect((await visit(ofProject, 'POST', 'List-Unsubscribe=One-Click')).status).toBe(200)
    expect(await mailed()).toEqual([other, daily, weekly])
  }
  await visit(link({ userId: user.id, scope: 'daily' }), 'POST')
  expect(await mailed()).toEqual([other, weekly])
  const { items } = await listAudit(db, { login: 'ada' }, { page: 1, perPage: 10 })
  const ends = items.filter(({ action }) => action === 'mail.unsubscribe').map(({ subject }) => subject)
  expect(ends).toEqual(['daily', `subscription ${perApp}`])
  expect((await visit(ofProject, 'GET')).body).toContain('You do not receive these mails any more')
})

test('mails about clusters end, and webhooks about them do not', async () => {
  const { call, link, visit, headers, user } = await openMails()
  const settings = { cluster_events: 'gate.failed,cluster.silent' }
  await call('/account/settings', { method: 'PUT', headers, body: settings })
  const path = link({ userId: user.id, scope: 'clusters' })
  expect((await visit(path, 'GET')).body).toContain('Stop mails about clusters?')
  await visit(path, 'POST')
  const { body } = await call('/dashboard', { headers })
  expect(body).toMatchObject({ ...settings, cluster_mails: false })
  expect((await visit(path, 'GET')).body).toContain('You do not receive these mails any more')
})

test('a changed link does nothing', async () => {
  const { link, visit, mailed, user, perApp, other, daily, weekly } = await openMails()
  const right = link({ userId: user.id, scope: 'subscription', subscriptionId: perApp })
  const wrong = [
    right.replace(`.${perApp}.`, `.${other}.`),
    right.replace(`=${user.id}.`, `=${user.id + 1}.`),
    right.replace('.subscription.', '.daily.'),
    `${right.slice(0, -2)}AA`,
    right.slice(0, -1),
    '/unsubscribe',
    '/unsubscribe?token=',
    `/unsubscribe?token=${'9'.repeat(5000)}`,
  ]
  for (const path of wrong) {
    for (const method of ['GET', 'POST'] as const) expect((await visit(path, method)).status).toBe(404)
  }
  expect(await mailed()).toEqual([perApp, other, daily, weekly])
})

test('a link of another account reaches none of these subscriptions', async () => {
  const { link, visit, mailed, user, perApp, other, daily, weekly } = await openMails()
  await visit(link({ userId: user.id + 1, scope: 'subscription', subscriptionId: perApp }), 'POST')
  expect(await mailed()).toEqual([perApp, other, daily, weekly])
})
