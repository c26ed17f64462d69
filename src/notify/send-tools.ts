import type { GuardedPost, MailTransport } from './delivery.ts'
import type { SmtpSettings } from './email/transport.ts'
import type { PostSettings } from './post.ts'

/** Tools for sending, shared by all channels; opened once per process. */
export interface OpenedTools {
  post: GuardedPost
  mail: MailTransport | undefined
  close(): Promise<void>
}

export async function openSendTools(settings: {
  post: PostSettings
  mail: SmtpSettings | undefined
}): Promise<OpenedTools> {
  const [{ createGuardedPost }, mail] = await Promise.all([
    import('./post.ts'),
    settings.mail && import('./email/transport.ts').then(({ openMailTransport }) => openMailTransport(settings.mail!)),
  ])
  return { post: createGuardedPost(settings.post), mail, close: async () => mail?.close() }
}
