import { mayCarrySecret } from '../http/may-carry-secret.ts'

/** A registry's challenge: `Bearer realm="https://auth.example.com/token",service="…",scope="…"`, or `Basic`. */
export interface Challenge {
  scheme: 'basic' | 'bearer'
  realm?: string
  service?: string
  scope?: string
}

const longest = 4096
const parameter = /(?<![a-z])([a-z]+)\s*=\s*(?:"([^"\\]*)"|([^\s,"]+))/gi

/** Undefined for challenges that relt does not support. */
export function parseChallenge(header: string | string[] | undefined): Challenge | undefined {
  const texts = (Array.isArray(header) ? header : [header ?? '']).filter((text) => text.length <= longest)
  const found = texts.flatMap((text) => {
    const scheme = /^\s*(bearer|basic)(?:\s|$)/i.exec(text)?.[1]?.toLowerCase()
    if (!scheme) return []
    const parameters = new Map(
      Array.from(text.matchAll(parameter), ([, name, quoted, bare]) => [name?.toLowerCase(), quoted ?? bare]),
    )
    const pick = (name: 'realm' | 'service' | 'scope') => {
      const value = parameters.get(name)
      return value === undefined ? {} : { [name]: value }
    }
    return [{ scheme: scheme as Challenge['scheme'], ...pick('realm'), ...pick('service'), ...pick('scope') }]
  })
  return found.find(({ scheme }) => scheme === 'bearer') ?? found[0]
}

/**
 * Whether a token server may receive the password of a registry: only on the same host or a subdomain of its domain. A
 * registry may name any token server, but not make relt send the password there.
 */
export function mayReceiveCredentials(realm: URL, registry: URL) {
  if (!mayCarrySecret(realm)) return false
  if (realm.protocol !== registry.protocol && realm.protocol !== 'https:') return false
  if (realm.hostname === registry.hostname) return true
  if (/^[\d.]+$|:/.test(registry.hostname)) return false
  const domain = registry.hostname.split('.').slice(1).join('.')
  const isWithin = (parent: string) => realm.hostname === parent || realm.hostname.endsWith(`.${parent}`)
  return isWithin(registry.hostname) || (domain.includes('.') && isWithin(domain))
}
