/** The table of channels: a line each, from a folder of its own. */
export { email } from './email/channel.ts'
export { generic } from './generic/channel.ts'
export { slack } from './slack/channel.ts'
export { teams } from './teams/channel.ts'
