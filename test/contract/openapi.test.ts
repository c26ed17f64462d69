import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { components } from '../../src/contract/openapi/components.ts'
import { openApiDocument } from '../../src/contract/openapi.ts'
import { type Route, type RouteName, routes } from '../../src/contract/routes.ts'
import { exampleFor } from '../helpers/examples/index.ts'
import { validatorFor } from '../helpers/openapi.ts'

interface Content {
  schema: { $ref?: string }
  example?: unknown
}

interface Parameter {
  name: string
  in: string
  schema: object
  example?: unknown
  $ref?: string
}

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: object[]
  responses: Record<string, { $ref?: string; content?: Record<string, Content>; headers?: object; links?: object }>
  parameters: Parameter[]
  requestBody?: { required: boolean; content: { 'application/json': Content } }
}

const document = openApiDocument('1.0.0')
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  ['get', 'post', 'put', 'delete'].flatMap((method): [string, Operation][] =>
    method in item ? [[`${method.toUpperCase()} ${path}`, item[method] as Operation]] : [],
  ),
)
const everyRoute = Object.entries(routes) as [RouteName, Route][]
const toOperation = ({ path, method }: Route) => document.paths[path]![method.toLowerCase()] as Operation
const validate = validatorFor(document)

test('the document is valid OpenAPI 3.1', async () => {
  expect(await new Validator().validate(structuredClone(document) as never)).toMatchObject({ valid: true })
})

test.each(everyRoute)('%s is described with every status it can answer', (name, route) => {
  const { responses, parameters } = toOperation(route)
  const always = [String(route.status ?? 200), '400', '401', '403', '429', '431', '500', '503']
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(always))
  expect('413' in responses).toBe(route.body !== undefined)
  // The subscriptions of the caller are public without being the same for everyone.
  const isCached = route.access === 'public' && route.method === 'GET' && name !== 'getMySubscriptions'
  expect('304' in responses).toBe(isCached)
  const conflicting = [
    'createLabel',
    'recordGate',
    'endSubject',
    'addTeamMember',
    'setTeamRole',
    'removeTeamMember',
    'retryDelivery',
    'updateLabel',
    'updateConfig',
    'getFinding',
    'updateCluster',
    'takeInRun',
  ]
  expect('409' in responses).toBe(conflicting.includes(name))
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, each]) => each)
  expect(parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)).toEqual(inPath)
})

test.each(everyRoute)('the answer of %s that other tests use fits its shape', (name, route) => {
  const { schema } = toOperation(route).responses[String(route.status ?? 200)]!.content!['application/json']!
  expect(validate(schema, exampleFor(name).answer)).toEqual([])
})

describe.each(operations)('%s', (_, operation) => {
  test('refers to shapes by name and has examples of requests that fit', () => {
    const { parameters = [], requestBody, responses } = operation
    const contents = [requestBody, ...Object.values(responses)].flatMap((part) => Object.entries(part?.content ?? {}))
    expect(contents.length).toBeGreaterThan(0)
    for (const [type, { schema }] of contents) {
      if (type === 'application/json') expect(schema.$ref).toMatch(/^#\/components\/schemas\/[A-Z]\w+$/)
    }
    const body = requestBody?.content['application/json']
    if (body) expect(validate(body.schema, body.example)).toEqual([])
    for (const { schema, example, in: place } of parameters) {
      if (place === 'path') expect(example).toBeDefined()
      if (example !== undefined) expect(validate(schema, example)).toEqual([])
    }
  })

  test('has a summary of its own and one of the described tags', () => {
    expect(operation.summary).toMatch(/^[A-Z][^.]+$/)
    expect(operation.tags).toEqual([expect.toBeOneOf(document.tags.map(({ name }) => name))])
    expect(operations.filter(([, other]) => other.summary === operation.summary)).toHaveLength(1)
    expect(operations.filter(([, other]) => other.operationId === operation.operationId)).toHaveLength(1)
  })
})

test('examples of failures fit the shape of every failure', () => {
  for (const [name, { content }] of Object.entries(document.components.responses)) {
    const { schema, example } = content['application/json']
    expect(validate(schema, example), name).toEqual([])
  }
})

test('a body is optional exactly where nothing in it is required', () => {
  const optional = operations.filter(([, { requestBody }]) => requestBody?.required === false).map(([name]) => name)
  expect(optional.sort()).toEqual([
    'POST /cluster-configs/bootstrap-from-reports',
    'POST /send-test-notification',
    'POST /test-notification',
    'POST /trigger-digest-email',
    'POST /webhook-secret',
    'PUT /account/settings',
    'PUT /cluster-configs/{config_id}',
    'PUT /clusters/{cluster_id}',
  ])
})

test('whole numbers are integers with bounds and defaults', () => {
  const { parameters } = toOperation(routes.listProjects)
  expect(parameters.find(({ name }) => name === 'per_page')).toMatchObject({
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  })
  const numbers = [...JSON.stringify(document).matchAll(/"type":"number"/g)]
  // Scores, confidences, durations and thresholds.
  expect(numbers.length).toBeLessThan(12)
})

test('parameters that exclude each other are described one by one, with the rule beside them', () => {
  const operation = toOperation(routes.getImpact) as Operation & { description: string; 'x-relt-at-most-one': string[] }
  const others = ['cluster_name', 'environment', 'page', 'per_page']
  const described = operation.parameters.filter(({ in: place, name }) => place === 'query' && !others.includes(name))
  expect(described).toMatchObject([
    { name: 'release_id', required: false, schema: { type: 'integer' } },
    { name: 'cve', required: false, schema: { type: 'string' } },
    { name: 'new_days', required: false, schema: { type: 'integer' } },
  ])
  expect(operation['x-relt-at-most-one']).toEqual(described.map(({ name }) => name))
  expect(operation.description).toContain('at most one')
})

test('no parameter is an object, which clients would send in brackets', () => {
  for (const [name, { parameters = [] }] of operations) {
    for (const { schema } of parameters) expect(JSON.stringify(schema ?? {}), name).not.toContain('"properties"')
  }
})

test('a component has a name of its own in all sections: generated Go clients make one type of each', () => {
  const { schemas, parameters } = document.components
  expect(Object.keys(parameters).filter((name) => name in schemas)).toEqual([])
})

test('nouns are written once, and nothing refers to what is not there', () => {
  const { schemas } = document.components
  for (const name of Object.keys(components)) expect(schemas).toHaveProperty(name)
  for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    expect(schemas).toHaveProperty(name!)
  }
  const inline = JSON.stringify(document).match(/"fingerprint":\{/g) ?? []
  // Three of exceptions; what a baseline holds back; Finding, those of lists, of one and of a run, and those of a comparison that have more fields; the former
  // finding of one that was renamed.
  expect(inline).toHaveLength(14)
})

test('links lead from what creates to operations that take the id', () => {
  let count = 0
  for (const [, { responses }] of operations) {
    for (const { links = {} } of Object.values(responses)) {
      for (const { operationId, parameters } of Object.values(links) as {
        operationId: RouteName
        parameters: object
      }[]) {
        const { params, query } = routes[operationId]
        for (const name of Object.keys(parameters)) {
          expect({ ...params.def.shape, ...query.def.shape }, operationId).toHaveProperty(name)
        }
        count++
      }
    }
  }
  expect(count).toBeGreaterThan(12)
})

const toBody = (name: 'createConfig' | 'addRelease' | 'uploadReport' | 'updateAccountSettings') =>
  toOperation(routes[name]).requestBody!.content['application/json'].schema
const profile = (more: object) => ({ name: 'x', ...more })
const aks = { subscriptionId: 's', resourceGroup: 'r', clusterName: 'c' }
const report = { metadata: { clusterName: 'c' }, checks: { A: { Total: 0 } } }
test.each<[string, Parameters<typeof toBody>[0], object, boolean]>([
  ['an AKS profile with the cluster', 'createConfig', profile({ provider: 'aks', settings: { aks } }), true],
  ['an AKS profile without the group', 'createConfig', profile({ provider: 'aks', settings: { aks: {} } }), false],
  ['another profile without it', 'createConfig', profile({ provider: 'eks', settings: { aks: {} } }), true],
  ['Prometheus without address', 'createConfig', profile({ settings: { prometheus: { enabled: true } } }), false],
  [
    'a severity without a fix',
    'addRelease',
    { product_id: 1, version: '1', type: 'app', security_severity: 'low' },
    false,
  ],
  ['no CVE', 'addRelease', { product_id: 1, version: '1', type: 'app', cve_list: ['many'] }, false],
  ['a day that is none', 'addRelease', { product_id: 1, version: '1', type: 'app', published_at: '2026-02-30' }, false],
  ['a leap day', 'addRelease', { product_id: 1, version: '1', type: 'app', published_at: '2028-02-29T10:00Z' }, true],
  ['a name in the report', 'uploadReport', { report }, true],
  [
    'a name beside the report',
    'uploadReport',
    { cluster: { name: 'c' }, report: { checks: { A: { Total: 0 } } } },
    true,
  ],
  ['no name', 'uploadReport', { report: { checks: { A: { Total: 0 } } } }, false],
  ['a webhook', 'updateAccountSettings', { slack_webhook: 'https://hooks.slack.com/services/T0' }, true],
  ['an address in numbers', 'updateAccountSettings', { slack_webhook: 'https://169.254.169.254/' }, false],
  ['types in any order', 'updateAccountSettings', { webhook_release_types: 'helm, app' }, true],
  ['a type twice', 'updateAccountSettings', { webhook_release_types: 'app,app' }, false],
])('says of %s whether it is taken', (_, name, body, isTaken) => {
  expect(validate(toBody(name), body).length === 0).toBe(isTaken)
})
