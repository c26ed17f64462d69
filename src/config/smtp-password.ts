import { ReltError } from '../errors.ts'
import { type DeliverySettings, readDeliverySettings } from './delivery.ts'
import { dataFolder, type Env } from './env.ts'
import { findKeychain, keepInKeychain } from './keychain-entry.ts'

type Mail = NonNullable<DeliverySettings['mail']>

/** The password of one user of one mail server is never sent to another one. */
const toName = ({ user, host, port }: Mail) => `smtp:${user}@${host}:${port}`

/** The mail settings with the password of the file, else of the keychain. */
export async function withSmtpPassword(env: Env, mail: Mail): Promise<Mail> {
  if (mail.user === undefined || mail.password !== undefined) return mail
  const keychain = await findKeychain(env, dataFolder(env))
  return { ...mail, password: await keychain?.get(toName(mail)).catch(() => undefined) }
}

/**
 * Stores the password of the user in `RELT_SMTP_URL`; returns the user and server that it is for. Throws `usage` without
 * them, and where there is no keychain.
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
