/** User and password before the host. Browsers and curl take any number of slashes, of either kind. */
const user = /^(\s*[a-z][a-z0-9+.-]*:[\\/]*)[^\\/?#]*@/i
const secretName = /token|secret|passw|pwd|api[-_]?key|access[-_]?key|signature|credential|^(key|sig|auth)$/i

/** Whether an address has a user or password in it, or a parameter that is named like one. */
export function hasCredentials(address: string): boolean {
  return user.test(address) || hasSecretParameter(address)
}

/** The same address without them. */
export function withoutCredentials(address: string): string {
  const plain = address.replace(user, '$1')
  return hasSecretParameter(plain) ? plain.replace(/[?#].*$/s, '') : plain
}

function hasSecretParameter(address: string): boolean {
  const [, ...parts] = address.split(/[?#]/)
  return parts.some((part) =>
    [...new URLSearchParams(part)].some(([name, value]) => value !== '' && secretName.test(name)),
  )
}
