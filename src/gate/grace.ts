/** `14d` or `14`: a number of days; undefined for anything else. */
export function parseDays(text: string): number | undefined {
  const days = /^(\d{1,4})d?$/.exec(text.trim())?.[1]
  return days === undefined ? undefined : Number(days)
}
