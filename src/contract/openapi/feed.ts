import { refToHeaders, refToParameter } from './headers.ts'
import { toFailures } from './problem.ts'

const token = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE'
const at = '2026-11-21T00:00:00Z'

const atom = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:relt:feed_0f9d7c528f6e4d0a</id><title>Releases of your projects</title><updated>${at}</updated></feed>
`
const calendar = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//relt//EN', 'END:VCALENDAR', ''].join('\r\n')

/** At the root of the server, where feed readers fetch them: the secret in the address is their only credential. */
function feed({ operationId, summary, type, example }: Record<'operationId' | 'summary' | 'type' | 'example', string>) {
  const headers = refToHeaders('Cache-Control', 'ETag')
  return {
    servers: [{ url: '/' }],
    parameters: [refToParameter('RequestId')],
    get: {
      operationId,
      summary,
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
        200: { description: 'Done', headers, content: { [type]: { schema: { type: 'string' }, example } } },
        304: { description: 'The content is that of `If-None-Match`', headers },
        ...toFailures([404, 429, 431, 500, 503]),
      },
      'x-relt-extension': true,
    },
  }
}

export const feedPaths: Record<string, Record<string, unknown>> = {
  '/feeds/{token}.atom': feed({
    operationId: 'readAtomFeed',
    summary: 'Read a feed of releases or of the changes of a cluster',
    type: 'application/atom+xml',
    example: atom,
  }),
  '/feeds/{token}.ics': feed({
    operationId: 'readCalendarFeed',
    summary: 'Read a calendar of ends of support',
    type: 'text/calendar',
    example: calendar,
  }),
}
