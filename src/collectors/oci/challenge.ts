import { mayCarrySecret } from '../http/may-carry-secret.ts'

/** A registry's challenge: `Bearer realm="https://auth.example.com/token",service="…",scope="…"`, or `Basic`. */
export interface Challenge {
  scheme: 'basic' | 'bearer'
  realm?: string | undefined
  service?: string | undefined
  scope?: string | undefined
}

const parameter = /(?<![a-z])([a-z]+)\s*=\s*(?:"([^"\\]*)"|([^\s,"]+))/gi

/** Undefined for challenges that relt does not support. */
export function parseChallenge(header: string | string[] | undefined): Challenge | undefined {
  const found = [header ?? []].flat().flatMap((text): Challenge[] => {
    const scheme = /^\s*(bearer|basic)(?:\s|$)/i.exec(text)?.[1]?.toLowerCase()
    const parameters = new Map(
      Array.from(text.matchAll(parameter), ([, name, quoted, bare]) => [name?.toLowerCase(), quoted ?? bare]),
    )
    const [realm, service, scope] = ['realm', 'service', 'scope'].map((name) => parameters.get(name))
    return scheme === 'bearer' || scheme === 'basic' ? [{ scheme, realm, service, scope }] : []
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
  const isWithin = (parent: string) => `.${realm.hostname}`.endsWith(`.${parent}`)
  return isWithin(registry.hostname) || (domain.includes('.') && isWithin(domain))
}
