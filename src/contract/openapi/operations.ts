import { refToHeaders, refToParameter } from './headers.ts'
import { type JsonSchema, refTo } from './json-schema.ts'
import { toFailures } from './problem.ts'

export const operationsSchemas: Record<string, JsonSchema> = {
  OpenApi: {
    type: 'object',
    description: 'An OpenAPI 3.1 document.',
    required: ['openapi', 'info', 'paths'],
    properties: { openapi: { type: 'string' }, info: { type: 'object' }, paths: { type: 'object' } },
  },
}

/** Probes and metrics are excluded: see docs/decisions/contract.md. */
export const operationsPaths: Record<string, Record<string, unknown>> = {
  '/openapi.json': {
    parameters: [refToParameter('RequestId')],
    get: {
      operationId: 'getOpenApi',
      summary: 'Get this document',
      tags: ['Operations'],
      security: [{}],
      parameters: [refToParameter('IfNoneMatch')],
      responses: {
        200: {
          description: 'Done',
          headers: refToHeaders('Cache-Control', 'ETag'),
          content: {
            'application/json': {
              schema: refTo('OpenApi'),
              example: { openapi: '3.1.0', info: { title: 'relt', version: '1.0.0' }, paths: {} },
            },
          },
        },
        304: {
          description: 'The content is that of `If-None-Match`',
          headers: refToHeaders('Cache-Control', 'ETag'),
        },
        ...toFailures([400, 401, 403, 429, 431, 500, 503]),
      },
      'x-relt-extension': true,
    },
  },
}
