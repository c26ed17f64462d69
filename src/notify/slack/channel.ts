import { webhookChannel } from '../channel.ts'

export const slack = webhookChannel('slack', 'Slack')
