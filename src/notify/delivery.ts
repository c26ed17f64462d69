import type { Secret } from '../util/secret.ts'
import type { Message } from './message.ts'

/** Renders and sends the messages of one channel. */
export interface Delivery {
  /** The pause between two messages to one target that its receiver demands. */
  secondsBetween: number
  /** Pure. A generic webhook renders for the format of its target; without a target, for its own format. */
  render(message: Message, target?: Secret): Rendered
  /** One attempt. Failures are outcomes; it throws only for mistakes of ours. */
  send(message: Message, target: Secret, tools: SendTools): Promise<Outcome>
}

export type Rendered = RenderedPost | RenderedMail

export interface RenderedPost {
  kind: 'post'
  /** Media type of the body. */
  contentType: string
  body: string
  /** Address that the format posts to, if not the target itself. */
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

/** An `httpStatus` is null when no answer came, and for mail, where it is the reply code of SMTP in `reason`. */
export type Outcome =
  | { result: 'delivered' | 'accepted'; httpStatus: number | null }
  | { result: 'retry'; reason: string; httpStatus: number | null; retryAfterSeconds: number | null }
  /** Final for this message. */
  | { result: 'refused'; reason: string; httpStatus: number | null }
  /** Final for the target, which is switched off. */
  | { result: 'gone'; reason: string; httpStatus: number | null }

/** Tools of a channel for sending; made once for a process. */
export interface SendTools {
  post: GuardedPost
  /** Undefined: no mail server is set up. */
  mail: MailTransport | undefined
  /** `whsec_…`, the newest first: two while a secret is rotated. Empty: the webhook is not signed. */
  signingSecrets: readonly string[]
  /** Unix seconds. */
  now: () => number
  signal: AbortSignal
}

interface PostRequest {
  url: string
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

/** An answer, of which at most 4 kB were read, or a known reason why none came. */
export type PostResult =
  | { status: number; retryAfterSeconds: number | null /** For known words only; never shown. */; body: string }
  | { status: null; reason: string /** False: another attempt would end the same way. */; canRetry: boolean }

/** Posts to an address that a user gave: https to public addresses, without redirects, for at most 10 s. */
export type GuardedPost = (request: PostRequest) => Promise<PostResult>

export interface MailRequest {
  to: string
  /** Local part of the Message-ID. */
  id: string
  /** Ids of the thread that the mail belongs to, without angle brackets and domain. */
  references: string[]
  mail: RenderedMail
  signal: AbortSignal
}

export interface MailTransport {
  send(request: MailRequest): Promise<Outcome>
  close(): Promise<void>
}
