import type { Vault } from './vault.ts'

const names = ['webhook_url', 'slack_webhook', 'teams_webhook', 'generic_webhook'] as const

type Webhooks = { [K in (typeof names)[number]]?: string | null | undefined }
type Unlock = () => Promise<Vault>

const mark = 'sealed:'

/** Who knows a webhook can send to it, so none lies open in the store. */
export function sealWebhooks<T extends Webhooks>(unlock: Unlock, userId: number, webhooks: T): Promise<T> {
  return change(unlock, webhooks, (vault, address) => {
    const { keyId, sealed } = vault.seal(ownerOf(userId), 'webhook', 0, Buffer.from(address))
    return `${mark}${keyId}:${Buffer.from(sealed).toString('base64')}`
  })
}

/** What was stored without a seal is given as it is. */
export function openWebhooks<T extends Webhooks>(unlock: Unlock, userId: number, webhooks: T): Promise<T> {
  return change(unlock, webhooks, (vault, stored) => {
    if (!stored.startsWith(mark)) return stored
    const [keyId = '', sealed = ''] = stored.slice(mark.length).split(':')
    const piece = { kind: 'webhook', part: 0, keyId, sealed: Buffer.from(sealed, 'base64') }
    return vault.open(ownerOf(userId), piece).toString('utf8')
  })
}

const ownerOf = (userId: number): string => `user/${userId}`

/** The key is asked for only when there is a webhook. */
async function change<T extends Webhooks>(
  unlock: Unlock,
  webhooks: T,
  changed: (vault: Vault, webhook: string) => string,
): Promise<T> {
  const set = names.filter((name) => webhooks[name])
  if (set.length === 0) return webhooks
  const vault = await unlock()
  return { ...webhooks, ...Object.fromEntries(set.map((name) => [name, changed(vault, webhooks[name]!)])) }
}
