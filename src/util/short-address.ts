/** Shortens addresses for logs, without the part that allows sending to them. */

/** `https://hooks.slack.com/services/T0/B0/xyz` → `https://hooks.slack.com/services/…`. */
export function shortUrl(url: string) {
  if (!URL.canParse(url)) return '…'
  const { protocol, host, pathname } = new URL(url)
  const [first = '', ...rest] = pathname.split('/').slice(1)
  // A plain word followed by more path is not secret; `https://example.com/T0B0xyz` may be.
  const isWord = rest.length > 0 && /^[a-z-]{1,20}\d{0,2}$/i.test(first)
  return `${protocol}//${host}/${isWord ? `${first}/` : ''}…`
}

/** `ada@example.com` → `a…@example.com`. */
export function shortEmail(email: string) {
  const at = email.lastIndexOf('@')
  return at < 1 ? '…' : `${[...email][0]}…${email.slice(at)}`
}
