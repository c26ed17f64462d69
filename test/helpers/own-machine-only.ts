import dns from 'node:dns'
import { isIP } from 'node:net'

const { lookup } = dns

/** Tests reach their own machine alone: every other name has no host, at once, wherever they run. */
function ownMachineOnly(...all: unknown[]): unknown {
  const [name] = all as [string]
  if (name === 'localhost' || isIP(name)) return Reflect.apply(lookup, dns, all)
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND', hostname: name })
  return process.nextTick(all.at(-1) as (error: Error) => void, error)
}

// Files of one worker share the module that this replaces a function of.
if (lookup.name !== ownMachineOnly.name) Object.assign(dns, { lookup: ownMachineOnly })
