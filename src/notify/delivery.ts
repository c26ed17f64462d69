import type { Secret } from '../util/secret.ts'
import type { Message } from './message.ts'

/** Renders and sends the messages of one channel. */
export interface Delivery {
  /** Minimum seconds between two messages to one target, as its receiver requires. */
  secondsBetween: number
  /** Pure. A generic webhook renders in the format of its target; without a target, in its own. */
  render(message: Message, target?: Secret): Rendered
  /** One attempt. Failures are outcomes; throws only for bugs. */
  send(message: Message, target: Secret, tools: SendTools): Promise<Outcome>
}

export type Rendered = RenderedPost | RenderedMail

export interface RenderedPost {
  kind: 'post'
  /** Media type of the body. */
  contentType: string
  body: string
  /** URL that the format posts to, if not the target itself. */
  url?: string
}

export interface RenderedMail {
  kind: 'mail'
  subject: string
  text: string
  html: string
  headers: Record<string, string>
  attachments?: { filename: string; content: string; contentType: string }[]
}

/** `httpStatus` is null without a response, and for mail, whose SMTP reply code is in `reason`. */
export type Outcome =
  | { result: 'delivered' | 'accepted'; httpStatus: number | null }
  | { result: 'retry'; reason: string; httpStatus: number | null; retryAfterSeconds: number | null }
  /** The message will never be accepted. */
  | { result: 'refused'; reason: string; httpStatus: number | null }
  /** Final for the target, which is disabled. */
  | { result: 'gone'; reason: string; httpStatus: number | null }

/** Tools for sending, created once per process. */
export interface SendTools {
  post: GuardedPost
  /** Undefined if no mail server is configured. */
  mail: MailTransport | undefined
  /** `whsec_…`, newest first: two while a secret is rotated. Empty: the webhook is not signed. */
  signingSecrets: readonly string[]
  /** Unix seconds. */
  now: () => number
  signal: AbortSignal
}

/** A response, of which at most 4 kB were read, or a known reason for failure. */
export type PostResult =
  | { status: number; retryAfterSeconds: number | null /** For known words only; never shown. */; body: string }
  | { status: null; reason: string /** False: another attempt would end the same way. */; canRetry: boolean }

/** Posts to a URL from a user: https to public addresses, without redirects, for at most 10 s. */
export type GuardedPost = (request: {
  url: string
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}) => Promise<PostResult>

export interface MailRequest {
  to: string
  /** Local part of the Message-ID. */
  id: string
  /** Ids of the mail's thread, without angle brackets and domain. */
  references: string[]
  mail: RenderedMail
  signal: AbortSignal
}

export interface MailTransport {
  send(request: MailRequest): Promise<Outcome>
  close(): Promise<void>
}
