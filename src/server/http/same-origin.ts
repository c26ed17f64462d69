import { ReltError } from '../../errors.ts'
import { askedOrigin } from './address.ts'
import type { HttpContext } from './state.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

const safeMethods = ['GET', 'HEAD', 'OPTIONS']
const trustedSites = ['same-origin', 'none']

/**
 * Rejects changes that a page of another origin triggers: browsers attach sessions and remembered Basic credentials by
 * themselves. Other clients send none of these headers. Throws `forbidden`.
 */
export function refuseForeignPages(c: HttpContext) {
  if (safeMethods.includes(c.req.method)) return
  const site = c.req.header('sec-fetch-site')
  const isForeign = site === undefined ? isForeignOrigin(c) : !trustedSites.includes(site)
  if (!isForeign) return
  throw new ReltError('forbidden', 'A page of another origin asked for this change.')
}

/**
 * If the operator set the server's host name, sessions work with no other: by DNS rebinding, a page's host name could lead
 * here and share its origin. Throws `usage`.
 */
export function refuseOtherHosts(c: HttpContext, publicUrl: string | undefined, trusted: TrustedProxies | undefined) {
  if (publicUrl === undefined) return
  const asked = askedOrigin(c.req.url, c.env?.incoming, trusted)
  const { host, origin } = new URL(publicUrl)
  if (asked !== undefined && new URL(asked).host === host) return
  throw new ReltError('usage', `This server is at ${origin}. The request names another host.`)
}

/** Browsers omit `Sec-Fetch-Site` over plain HTTP. Without a preflight, a page can set neither host in a request. */
function isForeignOrigin(c: HttpContext) {
  const origin = c.req.header('origin')
  if (origin === undefined) return false
  const hosts = [
    c.req.header('host'),
    ...(c.req.header('x-forwarded-host') ?? '').split(',').map((host) => host.trim()),
  ]
  const { host } = URL.parse(origin) ?? {}
  return host === undefined || host === '' || !hosts.includes(host)
}
