import { InvalidArgumentError } from 'commander'
import { everyOf } from '../../util/every.ts'

/** `30m`, `24h`, `7d` or `2w` → seconds, from a minute to a year. Throws `InvalidArgumentError`. */
export function parseEvery(text: string): number {
  const seconds = everyOf(text)
  if (seconds !== undefined) return seconds
  throw new InvalidArgumentError('Use an interval such as 30m, 24h or 7d, at most a year.')
}
