import { type JsonSchema, refTo } from './json-schema.ts'

export const Problem: JsonSchema = {
  type: 'object',
  description: 'Every failure has this form.',
  required: ['code', 'message', 'data'],
  properties: {
    code: { type: 'string', description: 'A name that programs can compare, such as rest_no_route.' },
    message: { type: 'string', description: 'A sentence for people.' },
    data: {
      type: 'object',
      required: ['status'],
      properties: {
        status: { type: 'integer', description: 'The HTTP status.' },
        params: {
          type: 'object',
          description: 'Each wrong parameter and what is wrong with it.',
          additionalProperties: { type: 'string' },
        },
        id: {
          description: 'Of a conflict: the id of what has the name.',
          anyOf: [{ type: 'integer' }, { type: 'string' }],
        },
      },
    },
  },
}

interface Failure {
  description: string
  code: string
  message: string
  headers?: Record<string, unknown>
}

const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } })

const failures: Record<number, Failure> = {
  400: {
    description: 'A parameter is invalid or missing, or the request cannot be read',
    code: 'rest_invalid_param',
    message: 'Invalid parameter(s): per_page',
  },
  401: {
    description: 'Authentication is required, or the credentials are wrong',
    code: 'rest_forbidden',
    message: 'Authentication is required.',
    headers: header('WWW-Authenticate'),
  },
  403: {
    description:
      'The plan, the role, the scope of the key or the origin of the request does not allow it, or a limit is reached',
    code: 'rest_forbidden',
    message: 'API access requires a Pro plan.',
  },
  404: {
    description: 'Nothing has this id, or not for the caller',
    code: 'rest_no_route',
    message: 'No label with id 7.',
  },
  405: {
    description: 'The address has no such method; `Allow` lists those that it has',
    code: 'rest_method_not_allowed',
    message: 'This address has no method PATCH.',
    headers: header('Allow'),
  },
  409: {
    description: 'It does not go with what is stored; `data.id` is the id of what has the name already',
    code: 'rest_conflict',
    message: 'Another label is named prod.',
  },
  413: {
    description: 'The body is too large',
    code: 'rest_upload_too_large',
    message: 'The body is larger than 1 MB.',
  },
  415: {
    description: 'The body is of another media type or encoding',
    code: 'rest_unsupported_media_type',
    message: 'The body must be application/json.',
  },
  422: {
    description: 'The answer takes more processor time than a request may use; ask for less at once',
    code: 'relt_too_costly',
    message: 'This takes more than 30 s of processor time.',
  },
  429: {
    description: 'Too many requests: wait as long as `Retry-After` says',
    code: 'rest_too_many_requests',
    message: 'Too many requests. Retry in 20 s.',
    headers: header('Retry-After'),
  },
  431: {
    description: 'The header of the request is larger than 16 KB',
    code: 'relt_usage',
    message: 'This is not a valid HTTP request: Request Header Fields Too Large.',
  },
  500: {
    description: 'The server failed; its log has more under the id of the request',
    code: 'rest_internal_error',
    message: "Something went wrong here. The request's id is 0b7a1d0e.",
  },
  503: {
    description: 'The store is busy or cannot be used: retry as `Retry-After` says',
    code: 'relt_busy',
    message: 'The service is busy. Try again.',
    headers: header('Retry-After'),
  },
  507: {
    description: 'The disk of the store is full; nothing was changed',
    code: 'relt_store_unusable',
    message: 'The disk of the store is full.',
  },
}

/** Reusable components, which operations reference by status. */
export const failureResponses = Object.fromEntries(
  Object.entries(failures).map(([status, { description, code, message, headers }]) => [
    `Problem${status}`,
    {
      description,
      headers: { ...header('X-Request-Id'), ...header('X-Relt-Version'), ...headers },
      content: {
        'application/json': {
          schema: refTo('Problem'),
          example: { code, message, data: { status: Number(status) } },
        },
      },
    },
  ]),
)

/** Responses of an operation, by status. */
export function toFailures(statuses: number[]) {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]))
}
