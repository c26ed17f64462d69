import { refToHeaders, refToParameter } from './headers.ts'
import { type JsonSchema, refTo } from './json-schema.ts'
import { failuresOf } from './problem.ts'

export const operationsSchemas: Record<string, JsonSchema> = {
  Liveness: {
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string', const: 'ok' } },
  },
  Readiness: {
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string', enum: ['ready', 'unavailable'] } },
  },
  OpenApi: {
    type: 'object',
    description: 'An OpenAPI 3.1 document.',
    required: ['openapi', 'info', 'paths'],
    properties: { openapi: { type: 'string' }, info: { type: 'object' }, paths: { type: 'object' } },
  },
}

const common = { tags: ['Operations'], security: [{}], parameters: [] as object[], 'x-relt-extension': true }
const parameters = [refToParameter('RequestId')]
/** These stand beside the interface, not below it: at the root of the server. */
const root = { servers: [{ url: '/' }], parameters }

function answerOf(schema: string, example: object, description = 'Done') {
  return {
    description,
    headers: refToHeaders('Cache-Control'),
    content: { 'application/json': { schema: refTo(schema), example } },
  }
}

/** For probes, monitoring and generators of clients. */
export const operationsPaths: Record<string, Record<string, unknown>> = {
  '/openapi.json': {
    parameters,
    get: {
      ...common,
      operationId: 'getOpenApi',
      summary: 'Get this document',
      parameters: [refToParameter('IfNoneMatch')],
      responses: {
        200: {
          ...answerOf('OpenApi', { openapi: '3.1.0', info: { title: 'relt', version: '1.0.0' }, paths: {} }),
          headers: refToHeaders('Cache-Control', 'ETag'),
        },
        304: {
          description: 'The content is that of `If-None-Match`',
          headers: refToHeaders('Cache-Control', 'ETag'),
        },
        ...failuresOf([400, 401, 403, 429, 431, 500, 503]),
      },
    },
  },
  '/healthz': {
    ...root,
    get: {
      ...common,
      operationId: 'checkLiveness',
      summary: 'Check that the process answers',
      responses: { 200: answerOf('Liveness', { status: 'ok' }), ...failuresOf([400, 431, 500]) },
    },
  },
  '/readyz': {
    ...root,
    get: {
      ...common,
      operationId: 'checkReadiness',
      summary: 'Check that requests can be answered',
      responses: {
        200: answerOf('Readiness', { status: 'ready' }),
        503: answerOf('Readiness', { status: 'unavailable' }, 'The store cannot be used, or the server is stopping'),
        ...failuresOf([400, 431, 500]),
      },
    },
  },
  '/metrics': {
    ...root,
    get: {
      ...common,
      operationId: 'getMetrics',
      summary: 'Get metrics for Prometheus',
      description: 'A server can demand a token (`RELT_METRICS_TOKEN`), or serve metrics on a port of their own.',
      security: [{}, { metricsToken: [] }],
      responses: {
        200: {
          description: 'Done',
          headers: refToHeaders('Cache-Control'),
          content: {
            'text/plain': {
              schema: { type: 'string' },
              example: 'relt_http_requests_total{route="getStats",method="GET",status="200"} 3\n',
            },
          },
        },
        ...failuresOf([400, 401, 404, 431, 500]),
      },
    },
  },
}
