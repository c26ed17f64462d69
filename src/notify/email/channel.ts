import type { Channel } from '../channel.ts'

export const email = {
  name: 'email',
  title: 'Email',
  field: 'email',
  isSecret: false,
  shape: 'email',
  load: async () => (await import('./deliver.ts')).deliverEmail,
} as const satisfies Channel
