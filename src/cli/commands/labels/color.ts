import { InvalidArgumentError } from 'commander'

/** Parses `#1f6feb`; the sign is optional, because it starts a comment in shells. */
export function parseColor(text: string): string {
  if (/^#?[0-9a-f]{6}$/i.test(text)) return text.startsWith('#') ? text : `#${text}`
  throw new InvalidArgumentError('Use a color such as 1f6feb.')
}
