import { ReltError } from '../errors.ts'

/** Default path of a URL that has only a host. */
const usualPath = '/api/relt/v1'

/** Parses user input to the base URL of a server's API. Throws `usage`. */
export function readServerUrl(text: string, { insecureHttp }: { insecureHttp: boolean }) {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${toScheme(text)}://${text}`)
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new ReltError('usage', 'This is not the address of a server.', { hint: 'Write it as https://host/path.' })
  }
  if (url.username || url.password) {
    throw new ReltError('usage', 'An address must not hold credentials: others would see them.', {
      hint: 'Sign in with: relt auth login URL',
    })
  }
  if (url.search || url.hash) throw new ReltError('usage', 'The address of a server has no ? and no # in it.')
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !insecureHttp) {
    throw new ReltError('usage', `Plain HTTP to ${url.host} would expose credentials to the network.`, {
      hint: 'Use https://, or add --insecure-http to allow it.',
    })
  }
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  return url.origin + (path === '' ? usualPath : path)
}

function toScheme(text: string): string {
  const host = URL.parse(`http://${text}`)?.hostname
  return host !== undefined && isLoopback(host) ? 'http' : 'https'
}

function isLoopback(host: string) {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}
