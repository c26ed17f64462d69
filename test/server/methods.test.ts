import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../src/contract/openapi.ts'
import { validatorFor } from '../helpers/openapi.ts'
import { openHttp } from './http.ts'
import { exchange, openServer } from './socket.ts'

const document = openApiDocument('1.0.0')
const validate = validatorFor(document)

test.each([
  ['PATCH', '/api/relt/v1/labels', 'GET, POST, HEAD'],
  ['GET', '/api/relt/v1/toggle-sub', 'POST'],
  ['OPTIONS', '/api/relt/v1/stats', 'GET, HEAD'],
  ['DELETE', '/api/relt/v1/cluster-reports/compare', 'GET, HEAD'],
  ['POST', '/api/relt/v1/cluster-reports/crun_x', 'GET, DELETE, HEAD'],
  ['PUT', '/api/relt/v1/session', 'POST, GET, DELETE, HEAD'],
  ['GET', '/api/batch/v1', 'POST'],
  ['POST', '/api/relt/v1/openapi.json', 'GET, HEAD'],
  ['POST', '/feeds/x.atom', 'GET, HEAD'],
  ['POST', '/healthz', 'GET, HEAD'],
  ['DELETE', '/readyz', 'GET, HEAD'],
  ['PUT', '/metrics', 'GET, HEAD'],
])('%s %s answers 405 and says which methods there are', async (method, path, allowed) => {
  const { call } = await openHttp()
  const { status, headers, body } = await call(path, { method, absolute: true })
  expect({ status, code: body.code, allow: headers.get('allow') }).toEqual({
    status: 405,
    code: 'rest_method_not_allowed',
    allow: allowed,
  })
})

test('TRACE answers 405 through a socket', async () => {
  const { port } = await openServer()
  const answer = await exchange(port, 'TRACE /api/relt/v1/stats HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 405 .*\r\nAllow: GET, HEAD\r\n/is)
})

describe.each(['aks', 'gke', 'eks', 'kubernetes'])('a profile of provider %s with incomplete settings', (provider) => {
  const { schemas } = document.components
  test.each(['aks', 'gke', 'eks', 'prometheus'])('of %s is taken or refused as the document says', async (block) => {
    const { call, signUp } = await openHttp()
    const { headers } = await signUp('ada')
    const given = block === 'prometheus' ? { enabled: true } : { clusterName: 'c' }
    const body = { name: 'shop', provider, settings: { [block]: given } }
    const isAllowed = validate(schemas.ScanProfileInput!, body).length === 0
    expect(isAllowed).toBe(block !== 'prometheus' && (block === 'eks' || block !== provider))
    expect((await call('/cluster-configs', { headers, body })).status).toBe(isAllowed ? 200 : 400)
    const { config_id } = (await call('/cluster-configs', { headers, body: { name: 'other' } })).body
    const change = await call(`/cluster-configs/${config_id}`, { method: 'PUT', headers, body })
    expect(validate(schemas.ScanProfileChange!, body).length === 0).toBe(isAllowed)
    expect(change.status).toBe(isAllowed ? 200 : 400)
  })
})

test('a change that the stored profile does not allow is a conflict', async () => {
  const { call, signUp } = await openHttp()
  const { headers } = await signUp('ada')
  const aks = { subscriptionId: 's', resourceGroup: 'r', clusterName: 'c' }
  const body = { name: 'shop', provider: 'aks', settings: { aks } }
  const { config_id } = (await call('/cluster-configs', { headers, body })).body
  const change = (more: object) => call(`/cluster-configs/${config_id}`, { method: 'PUT', headers, body: more })
  expect(await change({ settings: { aks: {} } })).toMatchObject({
    status: 409,
    body: { code: 'rest_conflict', data: { params: { 'settings.aks.resourceGroup': expect.any(String) } } },
  })
  expect(await change({ provider: 'aks', settings: { aks: {} } })).toMatchObject({ status: 400 })
  expect(await change({ settings: { prometheus: { enabled: true } } })).toMatchObject({ status: 400 })
  expect(await change({ provider: 'gke' })).toMatchObject({ status: 200 })
})
