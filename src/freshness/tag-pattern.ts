/** Pattern for whole tags. An invalid regular expression counts as no pattern. */
export function compileTagPattern(tagPattern: string | null) {
  if (tagPattern === null) return undefined
  try {
    return new RegExp(`^(?:${tagPattern})$`)
  } catch {
    return undefined
  }
}
