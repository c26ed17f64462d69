import { Timestamp } from '../shape.ts'
import { type JsonSchema, refTo } from './json-schema.ts'

/** Only browsers sign in this way. An in-process client has no session, so the table of routes lacks it. */

const timestamp = { type: 'string', pattern: Timestamp._zod.bag.patterns?.values().next().value?.source }
const done = { type: 'boolean', const: true }

export const sessionSchemas: Record<string, JsonSchema> = {
  Credentials: {
    type: 'object',
    required: ['username', 'password'],
    properties: {
      username: { type: 'string', maxLength: 1000, pattern: '^[^\\u0000]*$', description: 'The login name.' },
      password: { type: 'string', maxLength: 1000, pattern: '^[^\\u0000]*$', description: 'Of the account.' },
    },
  },
  SessionStarted: {
    type: 'object',
    required: ['success', 'nonce', 'expires_at'],
    properties: { success: done, nonce: { type: 'string' }, expires_at: timestamp },
  },
  SessionUser: {
    type: 'object',
    required: ['id', 'login', 'role', 'plan'],
    properties: {
      id: { type: 'integer' },
      login: { type: 'string' },
      role: { type: 'string', enum: ['user', 'admin'] },
      plan: refTo('Plan'),
    },
  },
  Session: {
    type: 'object',
    required: ['success', 'nonce', 'expires_at', 'user'],
    properties: {
      success: done,
      nonce: { type: 'string' },
      expires_at: timestamp,
      user: refTo('SessionUser'),
    },
  },
}

export const credentialsExample = { username: 'ada', password: 'correct horse battery' }
