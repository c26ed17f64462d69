export interface FittedParts<T> {
  parts: T[]
  /** Number of items that did not fit. */
  left: number
}

/** Renders items in order, as long as they fit. The first one is truncated by its renderer and always fits. */
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
