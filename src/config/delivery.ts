import { readFileSync } from 'node:fs'
import { ReltError } from '../errors.ts'
import type { SmtpSettings } from '../notify/email/transport.ts'
import { unreadable } from '../util/file-error.ts'
import { type Proxies, proxiesFor } from '../util/proxies.ts'
import { isNetwork } from './catalog.ts'
import { certificatesFor } from './certificates.ts'
import type { Env } from './env.ts'

/** Settings for sending notifications. */
export interface DeliverySettings {
  webhooks: {
    /** Hosts, with or without a port, and networks that webhooks may reach although they are not public. */
    allow: { hosts: string[]; nets: string[] }
    proxies: Proxies
  }
  /** Undefined disables mail. */
  mail: MailSettings | undefined
  /** Base URL of links in messages, without a trailing slash. */
  publicUrl: string | undefined
  ca: string[] | undefined
}

/** The `RELT_SMTP_*` settings. */
type MailSettings = Omit<SmtpSettings, 'ca' | 'timeoutMs'>

/**
 * Reads `RELT_WEBHOOK_ALLOW`, `RELT_WEBHOOK_PROXY`, `RELT_SMTP_URL`, `RELT_SMTP_PASSWORD_FILE`, `RELT_SMTP_FROM`,
 * `RELT_SMTP_RATE` and `RELT_PUBLIC_URL`. Throws `usage`.
 */
export function readDeliverySettings(env: Env): DeliverySettings {
  const publicUrl = readPublicUrl(env)
  return {
    webhooks: { allow: readWebhookAllow(env), proxies: readProxies(env) },
    mail: readMail(env, publicUrl),
    publicUrl,
    ca: certificatesFor(env),
  }
}

/** `RELT_WEBHOOK_ALLOW`: comma-separated host names, with or without a port, and networks. */
export function readWebhookAllow(env: Env) {
  const entries = (env.RELT_WEBHOOK_ALLOW ?? '').split(/[\s,]+/).filter((entry) => entry !== '')
  const nets = entries.filter(isNetwork)
  const hosts = entries.filter((entry) => !isNetwork(entry)).map((entry) => entry.toLowerCase())
  const broken = hosts.find((host) => !/^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(host))
  if (broken === undefined) return { hosts, nets }
  throw new ReltError('usage', `RELT_WEBHOOK_ALLOW has a part that is neither a host nor a network: ${broken}.`, {
    hint: 'Write hosts and networks with commas between them: chat.corp.example,hooks.corp.example:8443,10.20.0.0/16',
  })
}

/** `RELT_WEBHOOK_PROXY` overrides the proxies of the environment; `none` connects directly. */
function readProxies(env: Env) {
  const own = env.RELT_WEBHOOK_PROXY?.trim()
  if (!own) return proxiesFor(env)
  if (own === 'none') return { http: undefined, https: undefined, none: undefined }
  if (!/^https?:$/.test(URL.parse(own)?.protocol ?? '')) {
    throw new ReltError('usage', 'RELT_WEBHOOK_PROXY is not a web address.', {
      hint: 'Write it like http://proxy.corp.example:3128, or `none` to connect directly.',
    })
  }
  return { http: own, https: own, none: undefined }
}

/** False: the server has no web pages to link to (`RELT_UI=off`). */
export const hasPages = (env: Env) => env.RELT_UI?.trim() !== 'off'

/** The public URL of this server (`RELT_PUBLIC_URL`), without a trailing slash. Throws `usage`. */
export function readPublicUrl(env: Env): string | undefined {
  const text = env.RELT_PUBLIC_URL?.trim()
  if (!text) return undefined
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash) {
    return url.href.replace(/(?<!\/)\/+$/, '')
  }
  throw new ReltError('usage', 'RELT_PUBLIC_URL is not a web address.', {
    hint: 'Write the address at which people reach this server, such as https://relt.example.com.',
  })
}

const urlHint =
  'Write it like smtp://user@mail.example.com:587 or smtps://user@mail.example.com, and put the password into RELT_SMTP_PASSWORD_FILE.'

function readMail(env: Env, publicUrl: string | undefined): MailSettings | undefined {
  const text = env.RELT_SMTP_URL?.trim()
  if (!text) return undefined
  const url = URL.parse(text)
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || !/^\/?$/.test(url.pathname) || url.search) {
    throw new ReltError('usage', 'RELT_SMTP_URL is not the address of a mail server.', { hint: urlHint })
  }
  // Users who can see the process can see its environment.
  if (url.password) throw new ReltError('usage', 'RELT_SMTP_URL has a password in it.', { hint: urlHint })
  const isImplicitTls = url.protocol === 'smtps:'
  const user = url.username === '' ? undefined : decodeURIComponent(url.username)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isImplicitTls ? 465 : 587) : Number(url.port),
    isImplicitTls,
    user,
    password: readPassword(env),
    from: readSender(env, user, publicUrl),
    perSecond: readRate(env),
  }
}

function readPassword(env: Env) {
  const file = env.RELT_SMTP_PASSWORD_FILE
  if (!file) return undefined
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw unreadable(`The password of the mail server in ${file}`, cause)
  }
}

const address = /^[^\s<>@",;:\\]+@[^\s<>@",;:\\]+$/

function readSender(env: Env, user: string | undefined, publicUrl: string | undefined) {
  const text = env.RELT_SMTP_FROM?.trim()
  if (text) {
    const [, inBrackets] = /^[^<>\r\n"]*<([^<>]*)>$/.exec(text) ?? []
    if (address.test(inBrackets ?? text)) return text
    throw new ReltError('usage', 'RELT_SMTP_FROM is not a mail address.', { hint: 'Write it like relt@example.com.' })
  }
  if (user !== undefined && address.test(user)) return user
  if (publicUrl !== undefined) return `relt@${new URL(publicUrl).hostname}`
  throw new ReltError('usage', 'RELT_SMTP_URL is set, but no sender.', {
    hint: 'Set RELT_SMTP_FROM to the sender of mails, such as relt@example.com.',
  })
}

function readRate(env: Env) {
  const text = env.RELT_SMTP_RATE?.trim()
  if (!text) return 1
  if (/^\d{1,3}(\.\d+)?$/.test(text) && Number(text) > 0) return Number(text)
  throw new ReltError('usage', `RELT_SMTP_RATE is not a number of mails a second: ${text}.`)
}
