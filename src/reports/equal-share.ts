/** The largest number of findings per check that keeps the sum of all checks within the limit; at least 1. */
export function equalShare(counts: number[], limit: number): number {
  let left = limit
  let share = 0
  const ascending = [...counts].sort((a, b) => a - b)
  for (const [i, count] of ascending.entries()) {
    const even = Math.floor(left / (ascending.length - i))
    if (count > even) return Math.max(1, even)
    share = count
    left -= count
  }
  return share
}
