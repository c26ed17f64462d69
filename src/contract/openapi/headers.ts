const text = { type: 'string' }

/** Headers that answers may have. */
export const headers = {
  'X-Request-Id': { description: 'The id of the request, under which the log of the server has more.', schema: text },
  'X-Relt-Version': { description: 'The version of the server.', schema: text },
  'Cache-Control': { description: 'How long the answer may be stored, and by whom.', schema: text },
  'X-Relt-Team': { description: 'The team of the request header of this name.', schema: text },
  ETag: { description: 'Names the content, for `If-None-Match`.', schema: text },
  Allow: { description: 'The methods of the address.', schema: text },
  'Retry-After': { description: 'Seconds until the next request passes.', schema: { type: 'integer', minimum: 0 } },
  'WWW-Authenticate': { description: 'How to sign in. Absent where a session was tried.', schema: text },
  'Set-Cookie': { description: 'The session: HttpOnly, SameSite=Lax.', schema: text },
}

/** Headers that requests may have. */
export const headerParameters = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Your own id of the request: 8 to 64 letters, digits and hyphens. Any other text is ignored.',
    schema: text,
  },
  ActingTeam: {
    name: 'X-Relt-Team',
    in: 'header',
    description:
      'The team that you act for, in place of your default team; `me` is your own account. Any team that you are no ' +
      'member of answers 404.',
    schema: text,
    'x-relt-extension': true,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` that you have: the answer is 304 as long as the content is the same.',
    schema: text,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same key for a cluster answers with the first run, whatever the body: retry with it.',
    schema: { type: 'string', maxLength: 255, pattern: '^[!-~]{1,255}$' },
  },
  ContentEncoding: {
    name: 'Content-Encoding',
    in: 'header',
    description: 'How the body is packed. The limit of its size counts the unpacked bytes.',
    schema: { type: 'string', enum: ['identity', 'gzip'], default: 'identity' },
  },
}

export const securitySchemes = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'Login name (never the email address) and an application password.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'relt_session',
    description: 'Of `POST /session`, for browsers. Over TLS its name is `__Host-relt_session`.',
  },
  nonce: {
    type: 'apiKey',
    in: 'header',
    name: 'X-WP-Nonce',
    description: 'The nonce of the session. A session without it is anonymous.',
  },
}

export const refToHeaders = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(
    ['X-Request-Id', 'X-Relt-Version', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )

export const refToParameter = (name: keyof typeof headerParameters) => ({ $ref: `#/components/parameters/${name}` })
