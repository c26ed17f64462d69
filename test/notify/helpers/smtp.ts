import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { listen } from './receiver.ts'

export interface Received {
  from: string | undefined
  to: string[]
  mail: Email
  isTls: boolean
}

/** A mail server on this machine, which keeps what it gets. */
export async function openSmtp(options: SMTPServerOptions = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    ...options,
    onData(stream, session, then) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? undefined : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          mail: await PostalMime.parse(Buffer.concat(chunks)),
          isTls: session.secure,
        })
        then()
      })
    },
  })
  server.on('error', () => undefined)
  const port = await listen(server.server, '127.0.0.1')
  return { port, received }
}
