const units = { m: 60, h: 3600, d: 86_400, w: 604_800 } as const

/** `30m`, `24h`, `7d` or `2w` → seconds, from a minute to a year; undefined for anything else. */
export function everyOf(text: string) {
  const [, digits, unit] = /^(\d{1,6})([mhdw])$/.exec(text.trim()) ?? []
  const seconds = Number(digits) * units[unit as keyof typeof units]
  return seconds >= 60 && seconds <= 31_536_000 ? seconds : undefined
}

/** In the largest unit without a fraction; seconds otherwise. */
export function formatEvery(seconds: number) {
  const unit = (['d', 'h', 'm'] as const).find((each) => seconds % units[each] === 0)
  return unit ? `${seconds / units[unit]}${unit}` : `${seconds} s`
}
