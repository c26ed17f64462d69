import { string } from '../../text.ts'

/** The operating system of an image, and `EOSL` from Trivy: any value but `false` means end of life. */
interface System {
  family: unknown
  name: unknown
  eosl: unknown
}

export const systemCheck = { id: 'EOSL', name: 'Operating system out of support', category: 'End of support' }

/** The check for an unsupported operating system: the image gets no more advisories, so its list of them is incomplete. */
export function outOfSupport({ family, name, eosl }: System): { message: string; family: string } | undefined {
  if (eosl === undefined || eosl === null || eosl === false) return undefined
  const system = [string(family), string(name)].filter(Boolean).join(' ') || 'The operating system'
  return { message: `${system} is out of support`, family: string(family) ?? '' }
}
