/** User and password before the host. Browsers and curl accept any number of slashes, of either kind. */
export const userPart = /^(\s*[a-z][a-z0-9+.-]*:[\\/]*)[^\\/?#]*@/i
const secretName = /token|secret|passw|pwd|(api|access)[-_]?key|signature|credential|^(key|sig|auth)$/i

/** Whether a URL contains a user or password, or a parameter named like one. */
export function hasCredentials(address: string): boolean {
  const parameters = new URLSearchParams(address.replace(/^[^?#]*|[?#]/g, '&'))
  return userPart.test(address) || [...parameters].some(([name, value]) => value !== '' && secretName.test(name))
}
