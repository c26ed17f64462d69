import type { SmtpSettings } from './email/transport.ts'
import type { PostSettings } from './post.ts'

/** Opens the tools for sending, which all channels share, once per process. */
export async function openSendTools(settings: { post: PostSettings; mail: SmtpSettings | undefined }) {
  const [{ createGuardedPost }, mail] = await Promise.all([
    import('./post.ts'),
    settings.mail && import('./email/transport.ts').then(({ openMailTransport }) => openMailTransport(settings.mail!)),
  ])
  return { post: createGuardedPost(settings.post), mail, close: async () => mail?.close() }
}
