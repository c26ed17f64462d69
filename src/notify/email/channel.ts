import type { Channel } from '../channel.ts'

export const email = {
  name: 'email',
  title: 'E-mail',
  field: 'email',
  isSecret: false,
  shape: 'email',
  load: async () => (await import('./deliver.ts')).deliverEmail,
} as const satisfies Channel
