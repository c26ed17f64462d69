/** The known word with the smallest edit distance, if that is small. */
export function nearest(word: string, known: Iterable<string>) {
  let best: string | undefined
  let fewest = Math.min(word.length, 40) * 0.4 + 1
  for (const each of known) {
    const distance = distanceOf(word.slice(0, 40).toLowerCase(), each.slice(0, 40).toLowerCase())
    if (distance >= fewest) continue
    fewest = distance
    best = each
  }
  return best
}

/** Number of letters to add, drop or replace. */
function distanceOf(from: string, to: string) {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j++) {
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (letter === to[j] ? 0 : 1)))
    }
    row = next
  }
  return row[to.length]!
}
