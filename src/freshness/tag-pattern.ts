/** Of whole tags. A pattern that is no regular expression counts as none. */
export function compileTagPattern(tagPattern: string | null): RegExp | undefined {
  if (tagPattern === null) return undefined
  try {
    return new RegExp(`^(?:${tagPattern})$`)
  } catch {
    return undefined
  }
}
