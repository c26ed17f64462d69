import { string } from '../../text.ts'

/** `EOSL` as Trivy found it: what is there and not `false` counts. */
interface System {
  family: unknown
  name: unknown
  eosl: unknown
}

export const systemCheck = { id: 'EOSL', name: 'Operating system out of support', category: 'End of support' }

/** An image whose operating system is out of support gets no advisories any more, so that its list of them says little. */
export function outOfSupport({ family, name, eosl }: System): { message: string; family: string } | undefined {
  if (eosl === undefined || eosl === null || eosl === false) return undefined
  const system = [string(family), string(name)].filter(Boolean).join(' ') || 'The operating system'
  return { message: `${system} is out of support`, family: string(family) ?? '' }
}
