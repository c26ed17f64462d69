import { createHmac, randomBytes } from 'node:crypto'

/** Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */

const prefix = 'whsec_'

export const newSigningSecret = () => prefix + randomBytes(32).toString('base64')

interface Signed {
  /** Message id, the same for all attempts. */
  id: string
  /** Time of this attempt, unix seconds. */
  at: number
  body: string
  /** `whsec_…`; two while one is being rotated. Empty: no signature. */
  secrets: readonly string[]
}

export function signatureHeaders({ id, at, body, secrets }: Signed): Record<string, string> {
  const signatures = secrets.map((secret) => `v1,${toSignature(secret, `${id}.${at}.${body}`)}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  }
}

function toSignature(secret: string, signed: string) {
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64')
  return createHmac('sha256', key).update(signed).digest('base64')
}
