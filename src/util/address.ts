/** User and password before the host. Browsers and curl take any number of slashes, of either kind. */
export const userPart = /^(\s*[a-z][a-z0-9+.-]*:[\\/]*)[^\\/?#]*@/i
const secretName = /token|secret|passw|pwd|(api|access)[-_]?key|signature|credential|^(key|sig|auth)$/i

/** Whether an address has a user or password in it, or a parameter that is named like one. */
export function hasCredentials(address: string): boolean {
  const parameters = new URLSearchParams(address.replace(/^[^?#]*|[?#]/g, '&'))
  return userPart.test(address) || [...parameters].some(([name, value]) => value !== '' && secretName.test(name))
}
