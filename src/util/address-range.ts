import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
/** A network address and the length of its prefix. */
export type Network = [address: Address, prefixLength: number]

/** Parses CIDR notation: `10.0.0.0/8`, `fd00::/8`, or a single address. Throws an `Error` for anything else. */
export function parseNetwork(text: string): Network {
  const isCidr = text.includes('/')
  // The library also reads `10.1` and octal notation, which other programs interpret differently.
  const isCanonical = ipaddr.IPv6.isValid(text.split('/')[0]!) || /^\d+\.\d+\.\d+\.\d+(?:\/|$)/.test(text)
  if (!isCanonical) throw new Error(`not a network in CIDR notation: ${text}`)
  if (isCidr) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/**
 * Why an untrusted IP address must not be connected to: `a loopback address`. Undefined for a public address and for one in
 * an allowed network. IPv4 addresses inside IPv6 ones count as IPv4.
 */
export function refusedRange(address: string, allowed: readonly Network[] = []) {
  if (!ipaddr.isValid(address)) return 'not an IP address'
  const given = ipaddr.parse(address)
  const reached = embeddedIpv4(given) ?? given
  const isAllowed = [given, reached].some((each) => allowed.some((network) => isIn(each, network)))
  return isAllowed ? undefined : rangeFor(reached)
}

/**
 * Like `refusedRange`, for the host of a URL, without resolving names: a name passes unless it always means this machine.
 * The connection checks the resolved addresses.
 */
export function refusedHost({ hostname }: URL, allowed: readonly Network[] = []) {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (ipaddr.isValid(host)) return refusedRange(host, allowed)
  if (host !== 'localhost' && !host.endsWith('.localhost')) return undefined
  return refusedRange('127.0.0.1', allowed)
}

/** Extracts the IPv4 address from `::ffff:10.0.0.1`, and from `64:ff9b::a00:1`, which networks without IPv4 use (NAT64). */
function embeddedIpv4(address: Address) {
  if (!isIpv6(address)) return undefined
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  if (!isIn(address, nat64)) return undefined
  return new ipaddr.IPv4(address.toByteArray().slice(12))
}

function rangeFor(address: Address) {
  const range = address.range()
  if (range !== 'unicast') return rangeNames[range] ?? 'not a public address'
  // The library classifies unknown addresses as unicast, such as `::10.0.0.1`.
  if (isIpv6(address)) return isIn(address, globalUnicast) ? undefined : 'not a public address'
  return address.toString() === azureHost ? 'a link-local address' : undefined
}

const rangeNames: Partial<Record<string, string>> = {
  loopback: 'a loopback address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  linkLocal: 'a link-local address',
  carrierGradeNat: 'a private address',
  multicast: 'a multicast address',
  broadcast: 'a broadcast address',
  unspecified: 'an unspecified address',
}

const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** The metadata and DNS service of Azure. It looks public, but every virtual machine has its own. */
const azureHost = '168.63.129.16'

function isIpv6(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6'
}

/** IPv4 addresses inside IPv6 ones count as IPv4. False for anything that is not an IP address. */
export function isInNetworks(address: string, networks: readonly Network[]) {
  if (!ipaddr.isValid(address)) return false
  const given = ipaddr.process(address)
  return networks.some((network) => isIn(given, network))
}

function isIn(address: Address, [network, prefixLength]: Network) {
  return address.kind() === network.kind() && address.match(network, prefixLength)
}
