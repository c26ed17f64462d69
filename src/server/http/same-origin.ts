import { ReltError } from '../../errors.ts'
import { askedOrigin } from './address.ts'
import type { HttpContext } from './state.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

const safeMethods = ['GET', 'HEAD', 'OPTIONS']
const trustedSites = ['same-origin', 'none']

/**
 * Refuses a change that a page of another origin makes a browser ask for: the browser attaches a session and remembered
 * Basic credentials by itself. Other clients send none of these headers. Throws `forbidden`.
 */
export function refuseForeignPages(c: HttpContext): void {
  if (safeMethods.includes(c.req.method)) return
  const site = c.req.header('sec-fetch-site')
  const isForeign = site === undefined ? isForeignOrigin(c) : !trustedSites.includes(site)
  if (!isForeign) return
  throw new ReltError('forbidden', 'A page of another origin asked for this change.')
}

/**
 * Where the operator named the server, another name that leads to it is no place for a session: a page whose name leads
 * here for a moment would share its origin. Throws `usage`.
 */
export function refuseOtherHosts(
  c: HttpContext,
  { publicUrl, trusted }: { publicUrl: string | undefined; trusted: TrustedProxies | undefined },
): void {
  if (publicUrl === undefined) return
  const asked = askedOrigin(c.req.url, c.env?.incoming, trusted)
  const { host, origin } = new URL(publicUrl)
  if (asked !== undefined && new URL(asked).host === host) return
  throw new ReltError('usage', `This server is at ${origin}. The request names another host.`)
}

/** Browsers leave `Sec-Fetch-Site` out over plain HTTP. A page can set neither of the hosts in a request without preflight. */
function isForeignOrigin(c: HttpContext): boolean {
  const origin = c.req.header('origin')
  if (origin === undefined) return false
  const hosts = [
    c.req.header('host'),
    ...(c.req.header('x-forwarded-host') ?? '').split(',').map((host) => host.trim()),
  ]
  const { host } = URL.parse(origin) ?? {}
  return host === undefined || host === '' || !hosts.includes(host)
}
