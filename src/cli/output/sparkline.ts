import type { Env } from '../../config/env.ts'

const blocks = [...'▁▂▃▄▅▆▇█']
const ascii = [...'_.:-=+*#']

interface SparklineOptions {
  isAscii: boolean
  /** Smaller differences are not drawn as slopes. The default suits scores. */
  leastSpan?: number
}

/** A line with one character per value; unknown values are a gap. */
export function sparkline(values: (number | null)[], { isAscii, leastSpan = 10 }: SparklineOptions) {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return ''
  const levels = isAscii ? ascii : blocks
  const [least, most] = [Math.min(...known), Math.max(...known)]
  // Draws a small change around the middle.
  const span = Math.max(most - least, leastSpan)
  const low = (least + most - span) / 2
  return values
    .map((value) => (value === null ? ' ' : levels[Math.round(((value - low) / span) * (levels.length - 1))]!))
    .join('')
}

/** Whether the terminal only supports ASCII, by its locale or type. */
export function wantsAscii({ LC_ALL, LC_CTYPE, LANG, TERM }: Env) {
  const locale = LC_ALL || LC_CTYPE || LANG
  return TERM === 'dumb' || (locale !== undefined && locale !== '' && !/utf-?8/i.test(locale))
}
