import { webhookChannel } from '../channel.ts'

export const generic = webhookChannel('generic', 'Webhook')
