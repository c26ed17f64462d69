import { type JsonSchema, refTo } from './json-schema.ts'

const headerText = { type: 'string', maxLength: 300, pattern: '^[\\t -~]*$' }

export const batchSchemas: Record<string, JsonSchema> = {
  BatchPart: {
    type: 'object',
    required: ['path'],
    properties: {
      method: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'DELETE'], default: 'POST' },
      path: {
        type: 'string',
        description: 'Below `/api`, with its query: `/relt/v1/labels/3`.',
        maxLength: 2001,
        pattern: '^/[!-.0-~][!-~]{0,1999}$',
      },
      headers: {
        type: 'object',
        description: 'Of these two, each part has its own; the caller is that of the whole batch. Others are ignored.',
        properties: { Accept: headerText, 'Idempotency-Key': headerText },
      },
      body: { type: ['object', 'null'], additionalProperties: true },
    },
  },
  Batch: {
    type: 'object',
    required: ['requests'],
    properties: {
      validation: {
        type: 'string',
        enum: ['normal', 'require-all-validate'],
        default: 'normal',
        description: 'With `require-all-validate`, one invalid request stops all of them.',
      },
      requests: { type: 'array', maxItems: 25, items: refTo('BatchPart') },
    },
  },
  BatchAnswer: {
    type: 'object',
    required: ['status', 'headers', 'body'],
    properties: {
      status: { type: 'integer' },
      headers: { type: 'object', additionalProperties: { type: 'string' } },
      body: { description: 'What the request answers by itself: JSON, or a text.' },
    },
  },
  BatchResult: {
    type: 'object',
    required: ['responses'],
    properties: {
      failed: {
        type: 'string',
        const: 'validation',
        description: 'Nothing was done. `responses` has the failures, and null for valid requests.',
      },
      responses: { type: 'array', maxItems: 25, items: { anyOf: [refTo('BatchAnswer'), { type: 'null' }] } },
    },
  },
}

export const batchExample = {
  validation: 'require-all-validate',
  requests: [{ method: 'POST', path: '/relt/v1/toggle-sub', body: { product_id: 7 } }],
}
