import { addMember } from '../../src/operations/accounts/grant.ts'
import { addTeam } from '../../src/store/accounts/team.ts'
import { updateUser } from '../../src/store/accounts/user.ts'
import { type Row, scan } from '../reports/scan.ts'
import { type Call, openHttp } from './http.ts'

export const password = 'correct horse battery'
const browser = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }

/** The application with two accounts that share nothing, and a cluster of the first in a team of its own. */
export async function openSite(
  options: Parameters<typeof openHttp>[0] = {},
  whenDone?: Parameters<typeof openHttp>[1],
) {
  const opened = await openHttp(options, whenDone)
  const { db, clock, service, call } = opened
  const ada = await opened.signUp('ada', { plan: 'pro_plus', role: 'admin', password })
  const eve = await opened.signUp('eve', { plan: 'pro_plus', password })
  const teamId = await addTeam(db, 'platform', clock.now)
  const member = { teamId, userId: ada.user.id, role: 'owner' } as const
  await addMember(db, await service.vault(), member)

  const open = (path: string, { headers, ...more }: Call = {}) =>
    call(path, { ...more, absolute: true, headers: { ...browser, ...headers } })
  const submit = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    open(path, {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  async function signIn(username: string) {
    const answer = await submit('/sign-in', { username, password })
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!
    const page = await open('/account', { headers: { cookie } })
    return { headers: { cookie }, nonce: /name="_wpnonce" value="(\w+)"/.exec(page.body)![1]! }
  }
  const upload = (rows: Row[], more: Parameters<typeof scan>[1] = {}) =>
    call('/cluster-reports', {
      headers: ada.headers,
      body: {
        environment: 'prod',
        report: { ...scan(rows, more), artifacts: { images: [{ fullRef: 'nginx:1.25.0' }] } },
      },
    })
  return { ...opened, service, ada, eve, open, submit, signIn, upload }
}

export type Site = Awaited<ReturnType<typeof openSite>>

export const secret = 'zq7'

/** Everything that a page can be about, of the first account. */
export async function fill({ upload, call, ada, db }: Site) {
  const options = { cluster: `shop-${secret}`, score: 70 }
  const rows = [{ check: 'SEC001', severity: 'critical', namespace: `ns-${secret}`, resource: `pod/${secret}` }]
  await upload(rows, { ...options, passed: ['SEC002'], generatedAt: '2026-08-30T00:00:00Z' })
  const more = [...rows, { check: 'SEC002', severity: 'high', resource: `pod/new-${secret}` }]
  const { body: run } = await upload(more, { ...options, score: 61, generatedAt: '2026-08-31T00:00:00Z' })
  const { headers } = ada
  const clusters = await call('/clusters', { headers })
  const findings = await call('/findings', { headers })
  const { fingerprint } = findings.body.items[0]
  const expires_on = '2026-10-01'
  const reason = `why ${secret}: ${'The pod needs the host network until the mesh is replaced. '.repeat(3)}`
  const exception = await call('/exceptions', { headers, body: { fingerprint, reason, expires_on } })
  await call('/toggle-sub', { headers, body: { product_id: 1 } })
  await call('/labels', { headers, body: { label_name: `label ${secret}`, label_color: '#112233' } })
  const email = 'ada@example.com'
  await updateUser(db, 'ada', { email })
  await call('/test-notification', { headers, body: { channel: 'email' } })
  return {
    cluster_id: clusters.body.items[0].cluster_id as string,
    run_id: run.run_id as string,
    fingerprint: fingerprint as string,
    exception_id: exception.body.exception_id as string,
    id: '1',
  }
}

/** The address of a page about what the first account has. */
export function toAddress(path: string, ids: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!)
}
