import { HtmlValidate } from 'html-validate'
import { beforeAll, describe, expect, test } from 'vitest'
import { pages } from '../../src/html/pages/index.ts'
import { addMember } from '../../src/operations/accounts/grant.ts'
import { addTeam } from '../../src/store/accounts/team.ts'
import { hostileTexts } from '../html/hostile.ts'
import { scan } from '../reports/scan.ts'
import { fill, openSite, password, type Site, secret, toAddress } from './site.ts'

const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: {
    ...{ 'doctype-style': 'off', 'long-title': 'off', 'no-trailing-whitespace': 'off', 'no-inline-style': 'error' },
    // Buttons and inputs of equal forms have equal names on purpose.
    'form-dup-name': 'off',
  },
})

async function faultsFor(page: string): Promise<string[]> {
  const { results } = await validator.validateString(page)
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message, line }) => `${ruleId} ${line}: ${message}`))
}

let site: Site
let ids: Record<string, string>
let ada: Awaited<ReturnType<Site['signIn']>>
let eve: typeof ada
beforeAll(async () => {
  site = await openSite({}, () => {})
  ids = await fill(site)
  ada = await site.signIn('ada')
  eve = await site.signIn('eve')
})

describe('a walk over the table of pages', () => {
  test.each(pages.map(({ path }) => path))('%s is a valid page for its owner', async (path) => {
    const address = toAddress(path, ids)
    const { status, body, headers } = await site.open(address, { headers: ada.headers })
    expect([status, body.slice(0, 15)]).toEqual([200, '<!doctype html>'])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(await faultsFor(body)).toEqual([])
    expect(body.replace(/<[^>]*>/g, ' ')).not.toMatch(/\b(?:undefined|NaN|null)\b|\[object/)
    expect(body).not.toMatch(/\son\w+=|<script(?! src="\/assets\/)|<(?:img|iframe)/)
  })

  test.each(pages.map(({ path }) => path))('%s shows another account nothing', async (path) => {
    const address = toAddress(path, ids)
    const separator = address.includes('?') ? '&' : '?'
    for (const tail of ['', `${separator}team=platform`]) {
      const { status, body } = await site.open(address + tail, { headers: eve.headers })
      const isOwn = path.includes('{') && path !== '/projects/{id}'
      if (isOwn || tail) expect([address + tail, status]).toEqual([address + tail, 404])
      expect(body).not.toContain(secret)
    }
  })

  test('another account finds no run, cluster or finding in an address', async () => {
    for (const address of [
      `/compare?to_run_id=${ids.run_id}`,
      `/compare?cluster_name=shop-${secret}`,
      `/findings?run_id=${ids.run_id}`,
      `/findings?cluster_name=shop-${secret}`,
    ]) {
      const { status, body } = await site.open(address, { headers: eve.headers })
      expect([address, status]).toEqual([address, 404])
      expect(body).not.toContain(`pod/${secret}`)
    }
  })

  test('without a session every page leads to the sign-in, and downloads are refused', async () => {
    for (const { path } of pages) {
      const address = toAddress(path, ids)
      const { status, headers } = await site.open(address)
      expect([status, headers.get('location')!.split('?')[0]]).toEqual([303, '/sign-in'])
    }
    expect((await site.open('/findings?table=findings&format=csv')).status).toBe(401)
  })

  test('each table is there as CSV and JSON', async () => {
    let seen = 0
    for (const { path } of pages) {
      const address = toAddress(path, ids)
      const { body } = await site.open(address, { headers: ada.headers })
      for (const [, link] of body.matchAll(/href="([^"]*format=(?:csv|json))"/g)) {
        const { status, headers } = await site.open(link.replaceAll('&amp;', '&'), { headers: ada.headers })
        expect([link, status]).toEqual([link, 200])
        expect(headers.get('content-type')).toMatch(/^(?:text\/csv|application\/json); charset=utf-8$/)
        seen++
      }
    }
    expect(seen).toBeGreaterThan(20)
  })

  test('a table of a list has its rows, filters and downloads by its address', async () => {
    // An exception accepts it.
    const asked = '/findings?severity=critical&search=pod&state=accepted'
    const { body } = await site.open(`${asked}&table=findings&format=csv`, { headers: ada.headers })
    expect(body.split('\n').slice(0, 2)).toEqual([
      'severity,state,message,namespace,resource,check,name,cluster,first_seen,scanned',
      `critical,accepted,is wrong,ns-${secret},pod/${secret},SEC001,Name of SEC001,shop-${secret},2026-08-30 00:00:00,2026-08-31 00:00:00`,
    ])
    const page = await site.open(asked, { headers: ada.headers })
    expect(page.body).toContain('<option value="critical" selected>')
  })

  test.each([
    ['/?sort=bogus', 'sort: one of'],
    ['/exceptions?state=bogus', 'state: one of'],
    ['/exceptions?expiring_days=abc', 'expiring_days: is not a valid value'],
    ['/projects?cncf_status=bogus', 'cncf_status: one of'],
    ['/projects/2?type=bogus', 'type: one of'],
    ['/findings?severity=bogus', 'severity: must be some of'],
  ])('%s names the wrong filter instead of showing every row', async (address, why) => {
    const { status, body } = await site.open(address, { headers: ada.headers })
    expect(status).toBe(400)
    expect(body).toContain('This address cannot be shown')
    expect(body).toContain(why)
  })

  test('an advisory that is none is named beside the form of the impact page', async () => {
    const { status, body } = await site.open('/impact?cve=hello', { headers: ada.headers })
    expect(status).toBe(200)
    expect(body).toContain('This filter is not valid</strong>Advisory: an id like CVE-2026-1234')
  })

  test('the page of a finding shows the exceptions that match it', async () => {
    const { items } = (await site.call('/findings', { headers: site.ada.headers })).body
    const other = items.find(({ fingerprint }: { fingerprint: string }) => fingerprint !== ids.fingerprint)
    const add = async (body: object) => {
      const exception = { ...body, reason: 'accepted-here', expires_on: '2027-01-01' }
      return (await site.call('/exceptions', { body: exception, headers: site.ada.headers })).body.exception_id
    }
    const wide = await add({ check: other.check_id, environment: 'prod', all_clusters: true })
    const { body } = await site.open(`/findings/${other.fingerprint}`, { headers: ada.headers })
    expect(body).not.toContain(ids.exception_id)
    expect(body).toContain(
      `${wide}</code></a> until <span class="word">2027-01-01</span>, in all clusters (prod): accepted-here`,
    )
    await site.call(`/exceptions/${wide}/expire`, { body: {}, headers: site.ada.headers })
    const later = await site.open(`/findings/${other.fingerprint}`, { headers: ada.headers })
    expect(later.body).toContain(`${wide}</code></a> ended, accepts nothing, in all clusters (prod)`)
    const own = await site.open(`/findings/${ids.fingerprint}`, { headers: ada.headers })
    expect(own.body).toContain(ids.exception_id)
  })

  test.each(['/', '/findings', '/exceptions'])('a page beyond the last one of %s says so', async (path) => {
    const { body } = await site.open(`${path}?page=99`, { headers: ada.headers })
    expect(body).toMatch(/<p>Page 99 has no rows: there (?:is 1 page|are \d+ pages)\. <a href="[^"]*">First page<\/a>/)
  })

  test('a form that is wrong says why, and a form after the session says that it has ended', async () => {
    const { headers, nonce } = await site.signIn('ada')
    const fields = { _wpnonce: nonce, fingerprint: ids.fingerprint!, reason: 'accepted', expires_on: '2020-01-01' }
    const refused = await site.submit('/exceptions', fields, headers)
    expect(refused.status).toBe(400)
    expect(refused.body).toContain('<h1>The form was not accepted</h1>')
    expect(refused.body).toContain('expires_on: must be today or later')
    await site.submit('/sign-out', { _wpnonce: nonce }, headers)
    const late = await site.submit('/exceptions', fields, headers)
    expect(late.status).toBe(401)
    expect(late.body).toContain('Your session has ended.')
    expect(late.body).toContain('href="/sign-in"')
  })

  test('the form says where an exception applies before it is added, and the page after it', async () => {
    const call = (path: string, body?: object) => site.call(path, { headers: site.ada.headers, ...(body && { body }) })
    const rows = [{ check: 'MUTE1', severity: 'high' }]
    const passed = ['MUTE1']
    await site.upload(rows, { cluster: 'mute-a', passed, generatedAt: '2026-08-30T00:00:00Z' })
    const { body } = await site.upload(rows, { cluster: 'mute-b', passed, generatedAt: '2026-08-31T00:00:00Z' })
    const rules = [{ rule: 'findings>=high', verdict: 'failed', reason: '1 finding', excepted: 0 }]
    const record = { policy: { name: 'p', digest: 'a'.repeat(64) }, rules }
    const gate = { headers: site.ada.headers, method: 'PUT', body: record }
    expect((await site.call(`/cluster-reports/${body.run_id}/gate`, gate)).status).toBe(200)
    const { fingerprint } = (await call('/findings?check=MUTE1')).body.items[0]
    const page = (await site.open(`/findings/${fingerprint}`, { headers: ada.headers })).body
    expect(page).toContain('The gate counted it and failed in mute-b (prod).')
    expect(page).toContain(
      '<option value="cluster_name=mute-a&amp;environment=prod">mute-a (prod)</option><option value="cluster_name=mute-b&amp;environment=prod" selected>mute-b (prod)</option><option value="all_clusters=true">all clusters</option>',
    )
    const fields = { _wpnonce: ada.nonce, fingerprint, reason: 'accepted', expires_on: '2026-09-30' }
    const added = async (applies_in: string) => {
      const sent = await site.submit('/exceptions', { ...fields, applies_in }, ada.headers)
      const address = sent.headers.get('location')!
      const shown = (await site.open(address, { headers: ada.headers })).body
      await site.submit(`${new URL(address, 'http://x').pathname}/expire`, { _wpnonce: ada.nonce }, ada.headers)
      return shown
    }
    const own = await added('cluster_name=mute-a&environment=prod')
    expect(own).toContain('<dt>Where</dt><dd>mute-a (prod)</dd>')
    expect(own).toContain('It matches 1 in the latest runs.')
    expect(own).not.toContain('The gate failed')
    const wide = await added('all_clusters=true')
    expect(wide).toContain('<dt>Where</dt><dd>all clusters</dd>')
    expect(wide).toContain(`The gate failed and counted it in: mute-b (prod) (1 of them, ${body.run_id}).`)
    expect((await site.open('/exceptions', { headers: ada.headers })).body).toContain(
      '<bdi>mute-a</bdi> (<bdi>prod</bdi>)</td>',
    )
  })

  test('a form can let a release end an exception', async () => {
    const { headers, nonce } = await site.signIn('ada')
    const fields = {
      fingerprint: ids.fingerprint!,
      reason: 'Fixed upstream',
      expires_on: '2026-12-31',
      next_release_of: '1',
    }
    const sent = await site.submit('/exceptions', { _wpnonce: nonce, ...fields }, headers)
    const { body } = await site.open(sent.headers.get('location')!, { headers })
    expect(body).toMatch(/Accepted until the next release of [^,<]+, 2026-12-31 at the latest\./)
    const path = new URL(sent.headers.get('location')!, 'http://x').pathname
    await site.submit(`${path}/expire`, { _wpnonce: nonce }, headers)
  })

  test('forms need the nonce of the session, and no other origin can submit them', async () => {
    const { headers, nonce } = ada
    const action = `/exceptions/${ids.exception_id}/expire`
    for (const fields of [{}, { _wpnonce: 'wrong' }, { _wpnonce: eve.nonce }]) {
      expect((await site.submit(action, fields as never, headers)).status).toBe(403)
    }
    const foreign = { ...headers, 'sec-fetch-site': 'cross-site' }
    expect((await site.submit(action, { _wpnonce: nonce }, foreign)).status).toBe(403)
    expect((await site.submit(action, { _wpnonce: eve.nonce }, eve.headers)).status).toBe(404)
    const { state } = (await site.call(`/exceptions/${ids.exception_id}`, { headers: site.ada.headers })).body
    expect(state).toBe('active')
  })

  test('forms subscribe, label, add and end exceptions, and revoke keys', async () => {
    const { headers, nonce } = ada
    const send = async (path: string, fields: Record<string, string>) => {
      const { status, headers: got } = await site.submit(
        path,
        { _wpnonce: nonce, next: '/account', ...fields },
        headers,
      )
      return `${status} ${got.get('location')}`
    }
    const read = async (path: string) => (await site.call(path, { headers: site.ada.headers })).body
    // A stale page must not do the opposite.
    for (let i = 0; i < 2; i++)
      expect(await send('/projects/2/subscription', { wanted: 'yes' })).toBe('303 /account?done=followed')
    expect((await read('/my-subscriptions')).subscribed_ids).toContain(2)
    await send('/projects/2/subscription', { wanted: 'no' })
    expect((await read('/my-subscriptions')).subscribed_ids).not.toContain(2)
    const [{ id: subscription }] = (await read('/subscriptions')).subscriptions
    await send('/labels', { label_name: 'prod', label_color: '#00ff00' })
    const { id: label } = (await read('/labels')).labels.find(
      (each: { label_name: string }) => each.label_name === 'prod',
    )
    const labelsNow = async () => (await read('/subscriptions')).subscriptions[0].labels.length
    await send(`/subscriptions/${subscription}/labels`, { add: String(label) })
    expect(await labelsNow()).toBe(1)
    await send(`/subscriptions/${subscription}/labels`, { remove: String(label) })
    expect(await labelsNow()).toBe(0)
    await send(`/clusters/${ids.cluster_id}/labels`, { labels: 'eu, payments' })
    expect((await read(`/clusters/${ids.cluster_id}`)).labels).toEqual(['eu', 'payments'])
    const exception = { fingerprint: ids.fingerprint!, reason: 'accepted', expires_on: '2026-09-30' }
    const shown = (await send('/exceptions', exception)).split(' ')[1]!
    const added = shown.replace('?added=1', '')
    expect(shown).toMatch(/^\/exceptions\/exc_\w+\?added=1$/)
    await send(`${added}/expire`, {})
    expect((await read(added)).state).toBe('expired')
    const { uuid } = (await site.call('/api-keys', { headers: site.ada.headers, body: { name: 'old' } })).body.item
    await send(`/account/keys/${uuid}/revoke`, {})
    expect((await read('/api-keys')).keys.map((key: { uuid: string }) => key.uuid)).not.toContain(uuid)
  })
})

test('the sign-in leads to the wanted page of this server and to no other', async () => {
  const { open, submit } = site
  const { headers } = await open('/findings?severity=high')
  expect(headers.get('location')).toBe('/sign-in?next=%2Ffindings%3Fseverity%3Dhigh')
  const nextOf = async (next: string) =>
    (await submit('/sign-in', { username: 'ada', password, next })).headers.get('location')
  expect(await nextOf('/findings?severity=high')).toBe('/findings?severity=high')
  for (const next of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/..//evil.example',
    '/a/%2e%2E//evil.example/',
    '/.\\/evil.example',
    'javascript:alert(1)',
    '/\n/evil.example',
    '',
  ])
    expect(await nextOf(next)).toBe('/')
})

test('a wrong password shows the form again, and failures are limited', async () => {
  const { submit } = await openSite({ failuresPerMinute: 2 })
  const attempt = (username: string) => submit('/sign-in', { username, password: 'wrong' })
  const { status, body } = await attempt('"><script>')
  expect([status, body.includes('&quot;&gt;&lt;script&gt;')]).toEqual([401, true])
  await attempt('ada')
  const refused = await attempt('ada')
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
})

test('forms create a feed, whose address is shown once, and revoke it', async () => {
  const { headers, nonce } = ada
  const { status, body } = await site.submit('/account/feeds', { _wpnonce: nonce }, headers)
  expect([status, await faultsFor(body)]).toEqual([200, []])
  const [, path, token] = /http:\/\/localhost(\/feeds\/([\w-]{43})\.atom)/.exec(body)!
  const feed = await site.call(path!, { absolute: true })
  expect([feed.status, feed.body.includes('Releases of your projects')]).toEqual([200, true])
  const account = await site.open('/account', { headers })
  expect(account.body).not.toContain(token)
  const [, revoke] = /action="(\/account\/feeds\/feed_\w+\/revoke)"/.exec(account.body)!
  expect((await site.submit(revoke!, { _wpnonce: nonce }, headers)).status).toBe(303)
  expect((await site.call(path!, { absolute: true })).status).toBe(404)
})

describe('a sign-in with an API key', () => {
  async function createKey(more: object = {}) {
    const { body } = await site.call('/api-keys', { headers: site.ada.headers, body: { name: 'page', ...more } })
    return { key: body.password as string, uuid: body.item.uuid as string }
  }
  async function enter(key: string, username = 'ada') {
    const { status, headers, body } = await site.submit('/sign-in', { username, password: key })
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    return { status, cookie, body, headers }
  }

  test('may do what the key may do, and ends when the key is revoked', async () => {
    const { key, uuid } = await createKey()
    const { status, cookie } = await enter(key)
    expect(status).toBe(303)
    const { body } = await site.open('/account', { headers: { cookie } })
    expect(body).toContain('You signed in with the API key <bdi>page</bdi>')
    const _wpnonce = /name="_wpnonce" value="(\w+)"/.exec(body)![1]!
    expect((await site.submit('/projects/3/subscription', { _wpnonce, wanted: 'yes' }, { cookie })).status).toBe(303)
    await site.call(`/api-keys/${uuid}`, { method: 'DELETE', headers: site.ada.headers })
    expect((await site.open('/account', { headers: { cookie } })).status).toBe(303)
  })

  test('only reads with the scope read, on pages and in the interface', async () => {
    const { key } = await createKey({ scope: 'read' })
    const { cookie } = await enter(key)
    for (const path of ['/account', '/projects/2', `/clusters/${ids.cluster_id}`, '/subscriptions']) {
      const { status, body } = await site.open(path, { headers: { cookie } })
      expect([path, status, body.match(/<form[^>]*method="post"/g)]).toEqual([path, 200, ['<form method="post"']])
    }
    const { body } = await site.open('/account', { headers: { cookie } })
    const _wpnonce = /name="_wpnonce" value="(\w+)"/.exec(body)![1]!
    const followed = await site.submit('/projects/4/subscription', { _wpnonce, wanted: 'yes' }, { cookie })
    expect([followed.status, followed.body.includes('scope read')]).toEqual([403, true])
    const headers = { cookie, 'x-wp-nonce': _wpnonce }
    expect((await site.call('/toggle-sub', { headers, body: { product_id: 4 } })).status).toBe(403)
    expect((await site.call('/my-subscriptions', { headers })).body.subscribed_ids).not.toContain(4)
    expect((await site.submit('/sign-out', { _wpnonce }, { cookie })).status).toBe(303)
  })

  test('is refused with the scope upload, with the key of somebody else, and in the interface', async () => {
    const { key } = await createKey({ scope: 'upload' })
    const refused = await enter(key)
    expect([refused.status, refused.cookie, refused.body.includes('scope upload')]).toEqual([403, '', true])
    const { key: own } = await createKey()
    expect((await enter(own, 'eve')).status).toBe(401)
    expect((await site.call('/session', { body: { username: 'ada', password: own } })).status).toBe(401)
  })

  test('ends no later than the key, and an expired key says so', async () => {
    const { clock } = site
    const then = clock.now
    const { key } = await createKey({ expires_at: new Date((then + 3600) * 1000).toISOString() })
    const { headers, cookie } = await enter(key)
    expect(headers.get('set-cookie')).toContain('Max-Age=3600;')
    clock.now = then + 3600
    expect((await site.open('/account', { headers: { cookie } })).status).toBe(303)
    const expired = await enter(key)
    expect([expired.status, expired.body.includes('this API key expired')]).toEqual([401, true])
    clock.now = then
  })

  test('is limited as passwords are', async () => {
    const { submit } = await openSite({ failuresPerMinute: 2 })
    const guess = () => submit('/sign-in', { username: 'ada', password: 'abcd efgh ijkl mnop qrst uvwx' })
    const answers = [(await guess()).status, (await guess()).status, (await guess()).status]
    expect(answers).toEqual([401, 401, 429])
  })
})

test('the sign-out ends the session', async () => {
  const { open, submit, signIn } = site
  const { headers, nonce } = await signIn('ada')
  expect((await submit('/sign-out', {}, headers)).status).toBe(403)
  expect((await submit('/sign-out', { _wpnonce: nonce }, headers)).headers.get('location')).toBe('/sign-in')
  expect((await open('/account', { headers })).headers.get('location')).toMatch(/^\/sign-in/)
})

test('hostile texts of a report stay text on every page', async () => {
  const texts = hostileTexts.map((text) => text.slice(0, 2000))
  const rows = texts.map((text, i) => ({
    check: `SEC0${10 + i}`,
    resource: text,
    message: text,
    value: text,
    namespace: text,
  }))
  const { body: run } = await site.upload(rows, { generatedAt: '2026-08-31T00:00:00Z', cluster: 'hostile' })
  const { headers } = ada
  const found = (await site.call('/findings?per_page=100', { headers: site.ada.headers })).body.items
  const addresses = [
    '/',
    '/findings',
    '/findings?group_by=resource',
    `/runs/${run.run_id}`,
    `/runs/${run.run_id}/freshness`,
  ]
  for (const { fingerprint } of found) addresses.push(`/findings/${fingerprint}`)
  addresses.push(...texts.map((text) => `/findings?search=${encodeURIComponent(text.toWellFormed().slice(0, 200))}`))
  for (const address of addresses) {
    const { body } = await site.open(address, { headers })
    const tags = [...body.matchAll(/<([a-z][\w-]*)/gi)].map(([, tag]) => tag.toLowerCase())
    expect(tags.filter((tag: string) => ['img', 'iframe', 'object', 'base', 'style'].includes(tag))).toEqual([])
    expect(tags.filter((tag: string) => tag === 'script')).toHaveLength(1)
    expect(body).not.toMatch(/href="(?!\/|#|https:)/)
  }
})

test('assets keep for good under the hash in their names', async () => {
  const { open } = site
  const { body } = await open('/sign-in')
  const paths = [...body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path)
  expect(paths).toHaveLength(3)
  for (const path of paths) {
    const { status, headers } = await open(path)
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  }
  expect((await open('/assets/relt-0000000000000000.css')).status).toBe(404)
})

test('without pages the server has only its interface', async () => {
  const { open } = await openSite({ pages: false })
  for (const path of ['/', '/sign-in']) expect((await open(path)).status).toBe(404)
})

test('a page of another team of the viewer is found without its name in the address', async () => {
  const teamId = await addTeam(site.db, 'second', site.clock.now)
  const member = { teamId, userId: site.ada.user.id, role: 'viewer' } as const
  await addMember(site.db, await site.service.vault(), member)
  const report = { environment: 'prod', report: scan([{ resource: 'pod/a' }], { cluster: 'own' }) }
  const headers = { ...site.ada.headers, 'x-relt-team': 'me' }
  const { run_id } = (await site.call('/cluster-reports', { headers, body: report })).body
  const { status, headers: got } = await site.open(`/runs/${run_id}`, { headers: ada.headers })
  expect([status, got.get('location')]).toEqual([303, `/runs/${run_id}?team=me`])
  expect((await site.open(`/runs/${run_id}?team=second`, { headers: ada.headers })).status).toBe(404)
})
