const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 }

/** `90s`, `30m`, `2h` or `1d` → seconds; undefined for anything else. */
export function parseDuration(text: string) {
  const match = /^(\d{1,6})([smhd])$/.exec(text.trim())
  return match ? Number(match[1]) * unitSeconds[match[2] as keyof typeof unitSeconds] : undefined
}

/** The two largest units: `45s`, `3m`, `2h 5m`, `1d 4h`. */
export function formatDuration(seconds: number) {
  const whole = Math.max(0, Math.round(seconds))
  const parts = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'm'],
    [whole % 60, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  if (first === -1) return '0s'
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ')
}

/** `26 h`: in days from two days on; in hours from two hours on, or for whole hours; else in minutes. */
export function span(seconds: number) {
  if (seconds >= 2 * 86_400) return `${Math.floor(seconds / 86_400)} d`
  if (seconds >= 7200 || seconds % 3600 === 0) return `${Math.floor(seconds / 3600)} h`
  return `${Math.floor(seconds / 60)} min`
}
