/** `2026`, `2026-03` or a day → its first and its last day, `YYYY-MM-DD`. */
export function firstDay(partial: string) {
  return `${partial}-01-01`.slice(0, 10)
}

export function lastDay(partial: string) {
  if (partial.length === 4) return `${partial}-12-31`
  if (partial.length > 7) return partial
  const [year, month] = partial.split('-').map(Number)
  return new Date(Date.UTC(year!, month, 0)).toISOString().slice(0, 10)
}
