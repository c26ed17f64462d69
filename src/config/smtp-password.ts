import { ReltError } from '../errors.ts'
import { type DeliverySettings, readDeliverySettings } from './delivery.ts'
import { dataFolder, type Env } from './env.ts'
import { findKeychain, keepInKeychain } from './keychain-entry.ts'

type Mail = NonNullable<DeliverySettings['mail']>

/** Bound to user and mail server, so that the password is never sent to another server. */
const toName = ({ user, host, port }: Mail) => `smtp:${user}@${host}:${port}`

/** The mail settings with the password from the file, else from the keychain. */
export async function withSmtpPassword(env: Env, mail: Mail): Promise<Mail> {
  if (mail.user === undefined || mail.password !== undefined) return mail
  const keychain = await findKeychain(env, dataFolder(env))
  return { ...mail, password: await keychain?.get(toName(mail)).catch(() => undefined) }
}

/**
 * Stores the password for `RELT_SMTP_URL`; returns its user and server. Throws `usage` without them, or without a keychain.
 */
export async function keepSmtpPassword(env: Env, password: string): Promise<string> {
  const { mail } = readDeliverySettings(env)
  if (mail?.user === undefined) {
    throw new ReltError('usage', 'RELT_SMTP_URL names no user that the password could be of.', {
      hint: 'Write it like smtp://user@mail.example.com:587.',
    })
  }
  if (await keepInKeychain(await findKeychain(env, dataFolder(env)), toName(mail), password)) {
    return `${mail.user} at ${mail.host}:${mail.port}`
  }
  throw new ReltError('usage', 'No keychain on this machine can store the password.', {
    hint: 'Write it to a file that only its owner can read, and set RELT_SMTP_PASSWORD_FILE.',
  })
}
