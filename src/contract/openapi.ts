import { batchExamples, batchSchemas } from './openapi/batch.ts'
import { components } from './openapi/components.ts'
import { examples } from './openapi/examples.ts'
import { links, summaries, tagOf, tags } from './openapi/guide.ts'
import { headerParameters, headers, refToHeaders, refToParameter, securitySchemes } from './openapi/headers.ts'
import { type JsonSchema, refTo, Schemas } from './openapi/json-schema.ts'
import { operationsPaths, operationsSchemas } from './openapi/operations.ts'
import { failureResponses, failuresOf, Problem } from './openapi/problem.ts'
import { exclusive, rules } from './openapi/rules.ts'
import { sessionExamples, sessionSchemas } from './openapi/session.ts'
import { Check, Report, uploadOf } from './openapi/upload.ts'
import { type Route, type RouteName, routes } from './routes.ts'

/** The OpenAPI 3.1 description of the whole interface, made from the table of routes; `version` is relt's. */
export function openApiDocument(version: string) {
  const schemas = new Schemas()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    paths[route.path] ??= { parameters: [refToParameter('RequestId')] }
    paths[route.path]![route.method.toLowerCase()] = operation(name, route, schemas)
  }
  for (const [name, schema] of Object.entries(components)) {
    // Those that no route refers to by themselves.
    if (!schemas.has(name)) schemas.of(schema, 'output')
  }
  const handwritten = { Problem, Check, Report, ...sessionSchemas, ...batchSchemas, ...operationsSchemas }
  for (const [name, schema] of Object.entries(handwritten)) schemas.add(name, schema)
  return {
    openapi: '3.1.0',
    info: {
      title: 'relt',
      version,
      summary: 'Releases of cloud-native projects, and the scan reports of your clusters',
      description:
        'Times are `YYYY-MM-DD HH:MM:SS` in UTC. Null means that there is none. Answers may gain fields. ' +
        'No text of a request may have NUL or lone surrogates.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/relt/v1' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: { ...paths, ...sessionPaths, ...operationsPaths },
    components: {
      securitySchemes,
      headers,
      parameters: headerParameters,
      responses: failureResponses,
      schemas: withRules(schemas.all()),
    },
  }
}

function withRules(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, rules[name] ? { ...schema, allOf: rules[name] } : schema]),
  )
}

const signedIn = [{ basic: [] }, { session: [], nonce: [] }]

function operation(name: RouteName, route: Route, schemas: Schemas) {
  const { params = {}, query = {}, body } = examples[name]
  const isPublic = route.access === 'public' && route.method === 'GET'
  return {
    operationId: name,
    summary: summaries[name] ?? summaryOf(name),
    tags: [tagOf(route.path)],
    security: route.access === 'public' ? [{}, ...signedIn] : signedIn,
    parameters: [
      ...parametersOf(schemas.of(route.params, 'input'), 'path', params),
      ...parametersOf(schemas.of(route.query, 'input'), 'query', query),
      ...(isPublic ? [refToParameter('IfNoneMatch')] : []),
      ...(name === 'uploadReport' ? [refToParameter('IdempotencyKey')] : []),
      ...(route.body ? [refToParameter('ContentEncoding')] : []),
    ],
    ...(route.body && { requestBody: requestBody(bodySchema(name, route.body, schemas), body) }),
    responses: responsesOf(name, route, schemas),
    ...(exclusive[name] && { description: exclusive[name].rule, 'x-relt-at-most-one': exclusive[name].parameters }),
    ...(route.extension && { 'x-relt-extension': true }),
  }
}

function requestBody({ schema, required }: { schema: object; required: boolean }, example: object | undefined) {
  return { required, content: { 'application/json': { schema, example } } }
}

function bodySchema(name: RouteName, body: NonNullable<Route['body']>, schemas: Schemas) {
  const schema = schemas.of(body, 'input')
  if (name === 'uploadReport') return { schema: schemas.add('ReportUpload', uploadOf(schema)), required: true }
  const { required = [] } = schemas.resolve(schema)
  return { schema, required: required.length > 0 }
}

/** Every status that the route can answer. */
function responsesOf(name: RouteName, route: Route, schemas: Schemas) {
  const isPublic = route.access === 'public' && route.method === 'GET'
  const headers = isPublic ? refToHeaders('Cache-Control', 'ETag') : refToHeaders('Cache-Control')
  const { answer } = examples[name]
  const success = {
    description: 'Done',
    headers,
    content: {
      'application/json': { schema: schemas.of(route.answer, 'output'), example: answer },
      ...(name === 'getConfigFile' && { 'application/yaml': yaml }),
    },
    ...(links[name] && { links: linksOf(name) }),
  }
  return {
    [route.status ?? 200]: success,
    ...(name === 'uploadReport' && { 200: { ...success, description: 'The same report was there already' } }),
    ...(isPublic && { 304: { description: 'The content is that of `If-None-Match`', headers } }),
    ...failuresOf([
      ...[400, 401, 403, 404, 429, 431, 500, 503],
      ...(route.body ? [413, 415] : []),
      ...(conflicting.has(name) ? [409] : []),
      ...(route.method === 'GET' ? [] : [507]),
    ]),
  }
}

const yaml = { schema: { type: 'string' }, example: 'excluded_namespaces:\n  - kube-system\n' }

/** Routes whose success depends on what is stored beside the thing itself. */
const conflicting = new Set<RouteName>(['createLabel', 'updateLabel', 'updateConfig'])

function linksOf(name: RouteName) {
  return Object.fromEntries(
    links[name]!.map(({ to, parameters }) => [to, { operationId: to, parameters, description: summaryOfRoute(to) }]),
  )
}

function parametersOf(
  { properties = {}, required = [] }: JsonSchema,
  place: 'path' | 'query',
  given: Record<string, unknown>,
) {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema,
    ...(name in given && { example: given[name] }),
  }))
}

const summaryOfRoute = (name: RouteName) => summaries[name] ?? summaryOf(name)

/** `listBootstrapCandidates` → `List bootstrap candidates`. */
function summaryOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

interface Aside {
  operationId: string
  summary: string
  security: object[]
  body?: [schema: string, example: object]
  answer: [schema: string, example: object]
  status?: number
  failures: number[]
  setsCookie?: true
}

/** Operations that are not in the table: in-process there is no session and no batch. */
function aside({ operationId, summary, security, body, answer, status = 200, failures, setsCookie }: Aside) {
  return {
    operationId,
    summary,
    tags: ['Session'],
    security,
    ...(body && {
      parameters: [refToParameter('ContentEncoding')],
      requestBody: requestBody({ schema: refTo(body[0]), required: true }, body[1]),
    }),
    responses: {
      [status]: {
        description: 'Done',
        headers: setsCookie ? refToHeaders('Cache-Control', 'Set-Cookie') : refToHeaders('Cache-Control'),
        content: { 'application/json': { schema: refTo(answer[0]), example: answer[1] } },
      },
      ...failuresOf([...failures, 429, 431, 500, 503]),
    },
    'x-relt-extension': true,
  }
}

const parameters = [refToParameter('RequestId')]

const sessionPaths: Record<string, Record<string, unknown>> = {
  '/session': {
    parameters,
    post: aside({
      operationId: 'startSession',
      summary: 'Sign in with login and account password',
      security: [{}],
      body: ['Credentials', sessionExamples.Credentials],
      answer: ['SessionStarted', sessionExamples.SessionStarted],
      failures: [400, 401, 403, 413, 415, 507],
      setsCookie: true,
    }),
    get: aside({
      operationId: 'showSession',
      summary: 'Get the session of the cookie with its nonce',
      security: [{ session: [] }],
      answer: ['Session', sessionExamples.Session],
      failures: [400, 401],
    }),
    delete: aside({
      operationId: 'endSession',
      summary: 'Sign out',
      security: [{ session: [], nonce: [] }],
      answer: ['Success', { success: true }],
      failures: [400, 401, 403, 507],
      setsCookie: true,
    }),
  },
  // Beside the interface, not below it.
  '/batch/v1': {
    servers: [{ url: '/api' }],
    parameters,
    post: aside({
      operationId: 'batch',
      summary: 'Send several requests in one',
      security: [{}, ...signedIn],
      body: ['Batch', batchExamples.Batch],
      answer: ['BatchResult', batchExamples.BatchResult],
      status: 207,
      failures: [400, 401, 403, 413, 415],
    }),
  },
}
