import { string } from '../../text.ts'

export const systemCheck = { id: 'EOSL', name: 'Operating system out of support', category: 'End of support' }

/**
 * The check for an unsupported operating system: the image gets no more advisories, so its list of them is incomplete. Any
 * value of Trivy's `EOSL` but `false` means end of life.
 */
export function outOfSupport({ family, name, eosl }: Record<'family' | 'name' | 'eosl', unknown>) {
  if (eosl == null || eosl === false) return undefined
  const system = [string(family), string(name)].filter(Boolean).join(' ') || 'The operating system'
  return { message: `${system} is out of support`, family: string(family) ?? '' }
}
