import * as z from 'zod/mini'
import { type Route, type RouteName, routes } from './routes.ts'

/** The OpenAPI 3.1 description of the whole interface, made from the table of routes; `version` is relt's. */
export function openApiDocument(version: string) {
  const paths: Record<string, Record<string, unknown>> = { '/session': sessionPath, '/batch/v1': batchPath }
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(name, route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'relt',
      version,
      summary: 'Releases of cloud-native projects, and the scan reports of your clusters',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/relt/v1' }],
    tags: [...new Set(['session', ...Object.values(routes).map((route) => tagOf(route.path))])].map((name) => ({
      name,
    })),
    paths,
    components: {
      securitySchemes: {
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'Login name (never the e-mail address) and an application password.',
        },
        session: { type: 'apiKey', in: 'cookie', name: 'relt_session' },
      },
      schemas: { Error: errorSchema },
    },
  }
}

function operation(name: RouteName, route: Route) {
  return {
    operationId: name,
    summary: summaryOf(name),
    tags: [tagOf(route.path)],
    security: route.access === 'public' ? [{}, { basic: [] }] : [{ basic: [] }, { session: [] }],
    parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')],
    ...(route.body && { requestBody: { required: true, content: json(bodySchema(name, route.body)) } }),
    responses: responsesOf(name, route),
    ...(route.extension && { 'x-relt-extension': true }),
  }
}

/** Every status that the route can answer. */
function responsesOf(name: RouteName, route: Route) {
  const success = { description: 'Done', content: json(schemaOf(route.answer, 'output')) }
  const failures: [number, string, boolean][] = [
    [400, 'A parameter is invalid or missing, or the body is no JSON', true],
    [401, 'Authentication is required, or the credentials are wrong', true],
    [403, 'The plan, the role or the scope of the key does not allow it, or a limit is reached', true],
    [404, 'There is no such thing, or not for you', true],
    [413, 'The body is too large', route.body !== undefined],
    [415, 'The body is of another media type', route.body !== undefined],
    [429, 'Too many requests: wait as long as Retry-After says', true],
    [500, 'The server failed', true],
    [503, 'The store is busy: try again', true],
  ]
  return Object.fromEntries([
    [route.status ?? 200, success],
    ...(name === 'uploadReport' ? [[200, { ...success, description: 'The same report was there already' }]] : []),
    ...(route.access === 'public' && route.method === 'GET' ? [[304, { description: 'Not changed' }]] : []),
    ...failures
      .filter(([, , can]) => can)
      .map(([status, description]) => [status, { description, content: json({ $ref: '#/components/schemas/Error' }) }]),
  ])
}

function parametersOf(schema: z.ZodMiniObject, place: 'path' | 'query') {
  const { properties = {}, required = [] } = schemaOf(schema, 'input')
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function bodySchema(name: RouteName, body: z.ZodMiniObject) {
  const schema = schemaOf(body, 'input')
  if (name !== 'uploadReport') return schema
  const report = { type: 'object', description: 'The report of the scanner, as it is', additionalProperties: true }
  return { ...schema, properties: { ...schema.properties, report }, required: ['report'] }
}

interface JsonSchema {
  properties?: Record<string, unknown>
  required?: string[]
  [member: string]: unknown
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return plain as JsonSchema
}

function json(schema: unknown) {
  return { 'application/json': { schema } }
}

/** `listBootstrapCandidates` → `List bootstrap candidates`. */
function summaryOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function tagOf(path: string): string {
  return path.split('/')[1]!
}

/** Only browsers sign in so; in-process there is no session, so the table of routes has none. */
const sessionPath = {
  post: aside('startSession', 'Sign in with login and account password', {
    type: 'object',
    required: ['username', 'password'],
    properties: { username: { type: 'string' }, password: { type: 'string' } },
  }),
  get: aside('showSession', 'The nonce of the session that the cookie names'),
  delete: aside('endSession', 'Sign out'),
}

/** Beside the interface, not below it. */
const batchPath = {
  servers: [{ url: '/api' }],
  post: aside('batch', 'Several requests in one', {
    type: 'object',
    required: ['requests'],
    properties: {
      validation: { enum: ['normal', 'require-all-validate'], default: 'normal' },
      requests: {
        type: 'array',
        maxItems: 25,
        items: {
          type: 'object',
          required: ['path'],
          properties: {
            method: { enum: ['POST', 'PUT', 'PATCH', 'DELETE'], default: 'POST' },
            path: { type: 'string' },
            headers: { type: 'object', additionalProperties: { type: 'string' } },
            body: { type: 'object' },
          },
        },
      },
    },
  }),
}

function aside(operationId: string, summary: string, body?: object) {
  const failures = [400, 401, 413, 415, 429, 500, 503].map((status) => [
    status,
    { description: 'An error', content: json({ $ref: '#/components/schemas/Error' }) },
  ])
  const success = operationId === 'batch' ? 207 : 200
  return {
    operationId,
    summary,
    tags: ['session'],
    security: [{}],
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: Object.fromEntries([[success, { description: 'Done', content: json({ type: 'object' }) }], ...failures]),
    'x-relt-extension': true,
  }
}

const errorSchema = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    data: {
      type: 'object',
      required: ['status'],
      properties: {
        status: { type: 'integer' },
        params: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
  },
}
