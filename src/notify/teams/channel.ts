import { webhookChannel } from '../channel.ts'

export const teams = webhookChannel('teams', 'Teams')
