/** Separate from the formats, so that help and completion load no renderer. */
export const formatNames = [
  'standard',
  'discord',
  'mattermost',
  'rocketchat',
  'google-chat',
  'ntfy',
  'pagerduty',
] as const
export type FormatName = (typeof formatNames)[number]
