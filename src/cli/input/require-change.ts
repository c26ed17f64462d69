import { ReltError } from '../../errors.ts'

/** Throws `usage` if no option asks for a change. */
export function requireChange(options: object) {
  if (Object.keys(options).length > 0) return
  throw new ReltError('usage', 'Nothing to change.', { hint: 'Add an option; --help lists them.' })
}
