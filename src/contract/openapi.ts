import { batchExample, batchSchemas } from './openapi/batch.ts'
import { components } from './openapi/components.ts'
import { feedPaths } from './openapi/feed.ts'
import { tags, toTag } from './openapi/guide.ts'
import { headerParameters, headers, refToHeaders, refToParameter, securitySchemes } from './openapi/headers.ts'
import { type JsonSchema, refTo, Schemas } from './openapi/json-schema.ts'
import { operationsPaths, operationsSchemas } from './openapi/operations.ts'
import { failureResponses, Problem, toFailures } from './openapi/problem.ts'
import { requestFor } from './openapi/requests.ts'
import { rules } from './openapi/rules.ts'
import { credentialsExample, sessionSchemas } from './openapi/session.ts'
import { CheckSchema, ReportSchema, toUpload } from './openapi/upload.ts'
import { webhookSchemas, webhooks } from './openapi/webhooks.ts'
import { type Route, type RouteName, routes } from './routes.ts'

/** Schemas that are not derived from zod schemas. */
const handwritten = {
  Problem,
  Check: CheckSchema,
  Report: ReportSchema,
  ...sessionSchemas,
  ...batchSchemas,
  ...operationsSchemas,
  ...webhookSchemas,
}

/** The OpenAPI 3.1 description of the API, generated from the table of routes; `version` is relt's. */
export function openApiDocument(version: string) {
  const schemas = new Schemas()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    paths[route.path] ??= { parameters: [refToParameter('RequestId')] }
    paths[route.path]![route.method.toLowerCase()] = operation(name, route, schemas)
  }
  for (const [name, schema] of Object.entries(components)) {
    // Adds schemas that no route references.
    if (!schemas.has(name)) schemas.of(schema, 'output')
  }
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
    paths: { ...paths, ...sessionPaths, ...feedPaths, ...operationsPaths },
    webhooks,
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
  const { params = {}, query = {}, body } = requestFor(name)
  const isPublic = route.cachedPublicly !== undefined
  return {
    operationId: name,
    summary: formatSummary(name),
    tags: [toTag(name)],
    security: route.access === 'public' ? [{}, ...signedIn] : signedIn,
    parameters: [
      ...toParameters(schemas.of(route.params, 'input'), 'path', params),
      ...toParameters(schemas.of(route.query, 'input'), 'query', query),
      ...(route.role ? [refToParameter('ActingTeam')] : []),
      ...(isPublic ? [refToParameter('IfNoneMatch')] : []),
      ...(route.carriesReport ? [refToParameter('IdempotencyKey')] : []),
      ...(route.body ? [refToParameter('ContentEncoding')] : []),
    ],
    ...(route.body && { requestBody: requestBody(bodySchema(route, route.body, schemas), body) }),
    responses: toResponses(route, schemas),
    ...(route.atMostOne && {
      description: route.atMostOne.rule,
      'x-relt-at-most-one': route.atMostOne.parameters,
    }),
    ...(route.extension && { 'x-relt-extension': true }),
  }
}

function requestBody({ schema, required }: { schema: object; required: boolean }, example: object | undefined) {
  return { required, content: { 'application/json': { schema, example } } }
}

function bodySchema({ carriesReport }: Route, body: NonNullable<Route['body']>, schemas: Schemas) {
  const schema = schemas.of(body, 'input')
  if (carriesReport) return { schema: schemas.add('ReportUpload', toUpload(schema)), required: true }
  const { required = [] } = schemas.resolve(schema)
  return { schema, required: required.length > 0 }
}

/** Every status that the route can return. */
function toResponses(route: Route, schemas: Schemas) {
  const isPublic = route.cachedPublicly !== undefined
  const headers = isPublic ? refToHeaders('Cache-Control', 'ETag') : refToHeaders('Cache-Control')
  const success = {
    description: 'Done',
    headers,
    content: {
      'application/json': { schema: schemas.of(route.answer, 'output') },
      ...(route.answersPlain && { [route.answersPlain.type]: { schema: { type: 'string' } } }),
    },
    ...(route.links && { links: toLinks(route.links) }),
  }
  return {
    [route.status ?? 200]: success,
    ...(route.duplicateStatus && {
      [route.duplicateStatus]: { ...success, description: 'The same report was there already' },
    }),
    ...(isPublic && { 304: { description: 'The content is that of `If-None-Match`', headers } }),
    ...toFailures([
      400,
      401,
      403,
      404,
      429,
      431,
      500,
      503,
      ...(route.body ? [413, 415] : []),
      ...(route.conflicts ? [409] : []),
      ...(route.heavy ? [422] : []),
      ...(route.method === 'GET' ? [] : [507]),
    ]),
  }
}

/** Links from operations that create something to those that read or change it. */
function toLinks(links: NonNullable<Route['links']>) {
  return Object.fromEntries(
    links.flatMap(({ parameter, member, to }) =>
      to.map((target) => {
        if (!(target in routes)) throw new Error(`A link names ${target}, which is no route.`)
        const parameters = { [parameter]: `$response.body#/${member}` }
        return [target, { operationId: target, parameters, description: formatSummary(target as RouteName) }]
      }),
    ),
  )
}

function toParameters(
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

/** `listBootstrapCandidates` → `List bootstrap candidates`, unless the table has a summary. */
function formatSummary(name: RouteName): string {
  const { summary }: Route = routes[name]
  if (summary) return summary
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

interface Aside {
  operationId: string
  summary: string
  security: object[]
  body?: [schema: string, example: object]
  /** Name of the schema. */
  answer: string
  status?: number
  failures: number[]
  setsCookie?: true
}

/** Operations that are not in the table: an in-process client has no sessions and batches. */
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
        content: { 'application/json': { schema: refTo(answer) } },
      },
      ...toFailures([...failures, 429, 431, 500, 503]),
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
      body: ['Credentials', credentialsExample],
      answer: 'SessionStarted',
      failures: [400, 401, 403, 413, 415, 507],
      setsCookie: true,
    }),
    get: aside({
      operationId: 'showSession',
      summary: 'Get the session of the cookie with its nonce',
      security: [{ session: [] }],
      answer: 'Session',
      failures: [400, 401],
    }),
    delete: aside({
      operationId: 'endSession',
      summary: 'Sign out',
      security: [{ session: [], nonce: [] }],
      answer: 'Success',
      failures: [400, 401, 403, 507],
      setsCookie: true,
    }),
  },
  // Not below the base path of the API.
  '/batch/v1': {
    servers: [{ url: '/api' }],
    parameters,
    post: aside({
      operationId: 'batch',
      summary: 'Send several requests in one',
      security: [{}, ...signedIn],
      body: ['Batch', batchExample],
      answer: 'BatchResult',
      status: 207,
      failures: [400, 401, 403, 413, 415],
    }),
  },
}
