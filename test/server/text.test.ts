import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { ReltError } from '../../src/errors.ts'
import { invoke } from '../../src/service/invoke.ts'
import { scan } from '../reports/scan.ts'
import { openHttp } from './http.ts'

const invalid = (...params: string[]) => ({
  status: 400,
  body: {
    code: 'rest_invalid_param',
    data: { params: Object.fromEntries(params.map((name) => [name, expect.anything()])) },
  },
})

async function openAsAdmin() {
  const http = await openHttp()
  const { headers, user } = await http.signUp('ada', { role: 'admin', plan: 'pro_plus' })
  const call = (path: string, body?: unknown, more = {}) => http.call(path, { headers, body, ...more })
  return { ...http, call, headers, user }
}

const broken = ['x\ud800', '\udc00x', 'x\0y']

test.each(broken)('a text with %j is refused in every field of every request', async (text) => {
  const { call } = await openAsAdmin()
  expect(await call('/labels', { label_name: text, label_color: '#000000' })).toMatchObject(invalid('label_name'))
  const release = { product_id: 1, type: 'app' }
  expect(await call('/add-release', { ...release, version: text })).toMatchObject(invalid('version'))
  const notes = { ...release, version: '1', release_notes: text }
  expect(await call('/add-release', notes)).toMatchObject(invalid('release_notes'))
  expect(await call('/sync-projects', { projects: [{ name: text }] })).toMatchObject(invalid('projects.0.name'))
  expect(await call('/cluster-configs', { name: 'x', settings: { other: { deep: [text] } } })).toMatchObject(
    invalid('settings.other.deep.0'),
  )
  const key = text.toWellFormed().replaceAll('\0', '\ufffd')
  expect(await call('/cluster-configs', { name: 'x', settings: { [text]: 1 } })).toMatchObject(
    invalid(`settings.${key}`),
  )
  expect(await call('/session', { username: text, password: 'x' })).toMatchObject(invalid('username'))
  const batch = { requests: [{ path: '/relt/v1/labels', body: { label_name: text, label_color: '#000000' } }] }
  expect((await call('/api/batch/v1', batch, { absolute: true })).body.responses).toMatchObject([invalid('label_name')])
})

test('a query with NUL or broken UTF-8 is refused', async () => {
  const { call } = await openAsAdmin()
  expect(await call('/projects?search=a%00b')).toMatchObject(invalid('search'))
  expect(await call('/projects?search=a%ffb')).toMatchObject(invalid('search'))
  expect(await call('/projects?search=%EF%BF%BD%F0%9F%98%80+%25')).toMatchObject({ status: 200 })
  expect(await call('/cluster-reports/crun_a%00b')).toMatchObject({ status: 404 })
})

test('the same check holds without HTTP', async () => {
  const { service, user } = await openAsAdmin()
  const body = { label_name: 'x\ud800', label_color: '#000000' }
  const refused = invoke(service, 'createLabel', { body, user }).catch((error: ReltError) => error)
  expect(await refused).toMatchObject({ code: 'invalid_param', params: { label_name: expect.anything() } })
})

test('a body or report that is not UTF-8 is refused', async () => {
  const { call } = await openAsAdmin()
  const bytes = (text: string) => Buffer.from(text, 'latin1')
  expect(await call('/labels', bytes('{"label_name":"\xff","label_color":"#000000"}'))).toMatchObject({ status: 400 })
  const upload = '{"cluster":{"name":"shop"},"report":{"metadata":{},"x":"\xff","checks":{"A":{"Total":0}}}}'
  expect(await call('/cluster-reports', bytes(upload))).toMatchObject(invalid('report'))
})

test('reports that differ in half a character only are refused, and merge no clusters', async () => {
  const { call, headers } = await openAsAdmin()
  const upload = (name: string) =>
    call('/cluster-reports', { report: { ...scan([{}]), metadata: { clusterName: name } } })
  expect(await upload('shop\ud800')).toMatchObject(invalid('report'))
  expect(await upload('shop\ud801')).toMatchObject(invalid('report'))
  const packed = gzipSync(
    JSON.stringify({ report: { metadata: { clusterName: 'a\0b' }, checks: { A: { Total: 0 } } } }),
  )
  expect(await call('/cluster-reports', packed, { headers: { ...headers, 'content-encoding': 'gzip' } })).toMatchObject(
    invalid('report'),
  )
  expect((await call('/cluster-reports')).body.total).toBe(0)
  expect(await upload('shop \\ud800 😀')).toMatchObject({ status: 201 })
})

test('names in another Unicode form are the same name', async () => {
  const { call } = await openAsAdmin()
  const [composed, decomposed] = ['caf\u00e9', ' cafe\u0301 ']
  const label = await call('/labels', { label_name: decomposed, label_color: '#000000' })
  expect((await call('/labels')).body.labels).toMatchObject([{ label_name: composed }])
  expect(await call('/labels', { label_name: composed, label_color: '#ffffff' })).toMatchObject({
    status: 409,
    body: { code: 'rest_conflict', data: { status: 409, id: label.body.label_id } },
  })
  const release = { product_id: 1, type: 'app' }
  expect((await call('/add-release', { ...release, version: decomposed })).body.created).toBe(true)
  expect((await call('/add-release', { ...release, version: composed })).body.created).toBe(false)
  expect((await call('/sync-projects', { projects: [{ name: decomposed }] })).body.created).toBe(1)
  expect((await call('/sync-projects', { projects: [{ name: composed }] })).body).toMatchObject({
    created: 0,
    updated: 1,
  })
  await call('/cluster-reports', { cluster: { name: composed }, report: scan([{ message: 'a' }]) })
  await call('/cluster-reports', { cluster: { name: decomposed }, report: scan([{ message: 'b' }]) })
  const inReport = { ...scan([{ message: 'c' }]), metadata: { clusterName: decomposed } }
  await call('/cluster-reports', { report: inReport })
  expect((await call(`/cluster-reports?cluster_name=${encodeURIComponent(composed)}`)).body.total).toBe(3)
  expect((await call('/cluster-configs', { name: decomposed })).body.name).toBe(composed)
})

test('a blank time is refused, and an empty one is absent', async () => {
  const { call } = await openAsAdmin()
  expect(await call('/api-keys', { name: 'a', expires_at: ' ' })).toMatchObject(invalid('expires_at'))
  expect(await call('/api-keys', { name: 'a', expires_at: '' })).toMatchObject({ status: 200 })
})

test('a label keeps its name when only its color changes', async () => {
  const { call } = await openAsAdmin()
  const { label_id } = (await call('/labels', { label_name: 'a', label_color: '#000000' })).body
  const other = (await call('/labels', { label_name: 'b', label_color: '#000000' })).body.label_id
  const change = (label_name: string) =>
    call(`/labels/${label_id}`, { label_name, label_color: '#ffffff' }, { method: 'PUT' })
  expect(await change('A')).toMatchObject({ status: 200 })
  expect(await change('B')).toMatchObject({ status: 409, body: { data: { id: other } } })
})

test('headers that are null are refused in a batch', async () => {
  const { call } = await openHttp()
  const requests = [{ path: '/relt/v1/toggle-sub', headers: null }]
  expect(await call('/api/batch/v1', { absolute: true, body: { requests } })).toMatchObject(
    invalid('requests.0.headers'),
  )
})

test('a severity needs a security fix, and advisories are ids', async () => {
  const { call } = await openAsAdmin()
  const add = (more: object) => call('/add-release', { product_id: 1, version: '1', type: 'app', ...more })
  expect(await add({ security_severity: 'high' })).toMatchObject(invalid('security_severity'))
  expect(await add({ security_severity: 'low', has_security_fix: false })).toMatchObject(invalid('security_severity'))
  expect(await add({ cve_list: ['CVE-2026-1000', 'several'] })).toMatchObject(invalid('cve_list.1'))
  expect(await add({ security_severity: 'none' })).toMatchObject({ status: 200 })
  const fix = { security_severity: 'high', has_security_fix: true, cve_list: ['CVE-2026-1000', 'GHSA-qppj-fm5r-hxr3'] }
  expect(await add(fix)).toMatchObject({ status: 200 })
})

test.each([
  'https://169.254.169.254/',
  'https://2852039166/latest',
  'https://0xa9fea9fe/',
  'https://127.1/',
  'https://[::1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://10.0.0.1:8443/',
  'https://localhost/',
  'https://x.localhost./',
  'https://ada:secret@hooks.example/',
  'http://localhost:8080/x',
])('%s is no webhook', async (address) => {
  const { call } = await openAsAdmin()
  const change = (slack_webhook: string) => call('/account/settings', { slack_webhook }, { method: 'PUT' })
  expect(await change(address)).toMatchObject(invalid('slack_webhook'))
  expect(await change('https://hooks.example/T0')).toMatchObject({ status: 200 })
})
