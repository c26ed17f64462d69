/** Confirmations by name. The next URL contains only the name, because anyone can craft a URL. */
const doneTexts = {
  followed: 'The project is followed now.',
  unfollowed: 'The project is no longer followed.',
  'label-created': 'The label was created.',
  'labels-changed': 'The labels were changed.',
  'interval-changed': 'The interval was changed.',
  'exception-ended': 'The exception has ended. What it accepted counts again.',
  'webhook-set': 'The webhook was set. Messages go to the new address.',
  'webhook-removed': 'The webhook was removed.',
  'settings-saved': 'The settings were saved. They hold for messages from now on.',
  'policy-saved': 'The gate policy was saved.',
  'policy-removed': 'The gate policy was removed.',
  'member-added': 'The member was added.',
  'role-changed': 'The role was changed.',
  'member-removed': 'The member was removed.',
  'password-changed':
    'The password is changed, and all other sessions have ended. API keys and feeds still work; revoke them here.',
  'key-revoked': 'The key was revoked.',
  'feed-revoked': 'The feed was revoked.',
} as const

export type Done = keyof typeof doneTexts

/** Undefined for an unknown name. */
export const doneText = (name: string | undefined): string | undefined =>
  name !== undefined && Object.hasOwn(doneTexts, name) ? doneTexts[name as Done] : undefined
