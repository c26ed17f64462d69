/** User and password before the host. Browsers and curl accept any number of slashes, of either kind. */
const userPart = /^(\s*[a-z][a-z0-9+.-]*:[\\/]*)[^\\/?#]*@/i
const secretName = /token|secret|passw|pwd|(api|access)[-_]?key|signature|credential|^(key|sig|auth)$/i

/** Whether a URL contains a user or password, or a parameter named like one. */
export function hasCredentials(address: string) {
  const parameters = new URLSearchParams(address.replace(/^[^?#]*|[?#]/g, '&'))
  return userPart.test(address) || [...parameters].some(([name, value]) => value !== '' && secretName.test(name))
}

/** A URL without user, password, and parameters that may be secret. */
export function withoutCredentials(address: string) {
  const plain = address.replace(userPart, '$1')
  return hasCredentials(plain) ? plain.replace(/[?#].*$/s, '') : plain
}

/** Matches a web URL in any form that browsers accept, or another URL; not `C:\shared`. */
const anyAddress = /^\s*(?:(?:https?|wss?|ftp):|[a-z][a-z0-9+.-]+:[\\/]{2})/i

/** Whether a text, which may be a URL, contains credentials. */
export const hasAddressWithCredentials = (text: string) => anyAddress.test(text) && hasCredentials(text)
