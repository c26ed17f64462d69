export interface FittedParts<T> {
  parts: T[]
  /** Items that had no room. */
  left: number
}

/** Renders items from the first on, as long as their sizes fit. The first one is cut by its renderer and always fits. */
export function fit<I, T>(
  items: readonly I[],
  render: (item: I) => T,
  { maxItems, maxSize, toSize }: { maxItems: number; maxSize: number; toSize: (part: T) => number },
): FittedParts<T> {
  const parts: T[] = []
  let size = 0
  for (const item of items) {
    if (parts.length === maxItems) break
    const part = render(item)
    size += toSize(part)
    if (size > maxSize && parts.length > 0) break
    parts.push(part)
  }
  return { parts, left: items.length - parts.length }
}
