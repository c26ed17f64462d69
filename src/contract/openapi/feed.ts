import { refToHeaders, refToParameter } from './headers.ts'
import { toFailures } from './problem.ts'

const token = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE'
const at = '2026-11-21T00:00:00Z'

const atom = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:relt:feed_0f9d7c528f6e4d0a</id><title>Releases of your projects</title><updated>${at}</updated></feed>
`

const headers = refToHeaders('Cache-Control', 'ETag')

/** At the root of the server, where feed readers fetch it: the secret in the address is their only credential. */
export const feedPaths: Record<string, Record<string, unknown>> = {
  '/feeds/{token}.atom': {
    servers: [{ url: '/' }],
    parameters: [refToParameter('RequestId')],
    get: {
      operationId: 'readAtomFeed',
      summary: 'Read a feed of releases',
      description: 'The address is the answer of `POST /feeds`, and works until it is revoked.',
      tags: ['Subscriptions'],
      security: [{}],
      parameters: [
        {
          name: 'token',
          in: 'path',
          required: true,
          schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
          example: token,
        },
        refToParameter('IfNoneMatch'),
      ],
      responses: {
        200: {
          description: 'Done',
          headers,
          content: { 'application/atom+xml': { schema: { type: 'string' }, example: atom } },
        },
        304: { description: 'The content is that of `If-None-Match`', headers },
        ...toFailures([404, 429, 431, 500, 503]),
      },
      'x-relt-extension': true,
    },
  },
}
