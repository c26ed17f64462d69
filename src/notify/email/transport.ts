import { setTimeout } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { isInNetworks, parseNetwork } from '../../util/address-range.ts'
import type { MailRequest, MailTransport, Outcome } from '../delivery.ts'

export interface SmtpSettings {
  host: string
  port: number
  /** TLS from the first byte; otherwise STARTTLS is required unless the host is this machine. */
  isImplicitTls: boolean
  user: string | undefined
  password: string | undefined
  from: string
  /** Maximum mails per second, to all receivers together. */
  perSecond: number
  /** Trusted certificate authorities; undefined: the default ones. */
  ca: string[] | undefined
  timeoutMs?: number
}

const defaultTimeoutMs = 20_000

/** A transport that keeps connections to the mail server open between mails. */
export function openMailTransport(settings: SmtpSettings): MailTransport {
  const { from, perSecond } = settings
  const transport = createConnections(settings)
  const turn = createPace(1000 / perSecond)
  const domain = from.replace(/^.*@/, '').replace(/>$/, '')
  return {
    async send({ to, id, references, mail: { kind: _, headers, ...content }, signal }: MailRequest): Promise<Outcome> {
      if (!isAddress(to)) return { result: 'refused', reason: 'the mail address is not valid', httpStatus: null }
      await turn(signal)
      if (signal.aborted) return retry('interrupted')
      const threads = references.map((each) => `<${each}@${domain}>`)
      try {
        await transport.sendMail({
          from,
          // As an object, so that a comma in the address does not add a receiver.
          to: { name: '', address: to },
          ...content,
          messageId: `<${id}@${domain}>`,
          ...(threads.length > 0 && { references: threads, inReplyTo: threads[0]! }),
          headers: { 'List-Id': `relt notifications <notifications.${domain}>`, ...headers },
        })
        // The server accepted the mail, but it may still bounce.
        return { result: 'accepted', httpStatus: null }
      } catch (error) {
        return toFailure(error as Error & { code?: string; responseCode?: number })
      }
    },
    close: async () => transport.close(),
  }
}

function createConnections(settings: SmtpSettings) {
  const { host, port, isImplicitTls, user, password, ca, timeoutMs = defaultTimeoutMs } = settings
  const isLocal = isLoopback(host)
  return createTransport({
    host,
    port,
    secure: isImplicitTls,
    requireTLS: !isImplicitTls && !isLocal,
    ignoreTLS: !isImplicitTls && isLocal,
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    tls: { minVersion: 'TLSv1.2', ...(ca && { ca }) },
    pool: true,
    maxConnections: 2,
    maxMessages: 100,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: timeoutMs * 2,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Limits the rate across connections; the library's own limit lets each connection start at once. */
function createPace(pauseMs: number): (signal: AbortSignal) => Promise<void> {
  let next = 0
  return async (signal) => {
    const now = performance.now()
    const turn = Math.max(now, next)
    next = turn + pauseMs
    if (turn > now) await setTimeout(turn - now, undefined, { signal }).catch(() => undefined)
  }
}

const isAddress = (text: string) => text.length <= 254 && /^[^\s<>@",;:\\()[\]]+@[^\s<>@",;:\\()[\]]+$/.test(text)

function isLoopback(host: string) {
  return host === 'localhost' || isInNetworks(host, [parseNetwork('127.0.0.0/8'), parseNetwork('::1')])
}

/** Uses only known texts and the reply code, because the reply itself may repeat what was sent. */
function toFailure({ code = '', responseCode, message }: Error & { code?: string; responseCode?: number }): Outcome {
  if (code === 'EAUTH') return retry('the mail server refuses the sign-in')
  if (code === 'ETLS' || /certificate|\b(?:TLS|SSL)\b/i.test(message)) return retry('no TLS with the mail server')
  if (responseCode !== undefined && responseCode >= 500) {
    return { result: 'refused', reason: `the mail server refuses the mail (SMTP ${responseCode})`, httpStatus: null }
  }
  if (responseCode !== undefined && responseCode >= 400) return retry(`the mail server is busy (SMTP ${responseCode})`)
  if (code === 'EDNS') return retry('the mail server is not known')
  if (/TIMEDOUT/.test(code)) return retry('the mail server does not answer in time')
  return retry('the mail server cannot be reached')
}

const retry = (reason: string): Outcome => ({ result: 'retry', reason, httpStatus: null, retryAfterSeconds: null })
