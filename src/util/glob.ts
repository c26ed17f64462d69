/** Glob in which `*` matches any text, including none. Runs in linear time. */
export function globMatcher(pattern: string): (text: string) => boolean {
  const [head = '', ...rest] = pattern.split(/\*+/)
  const tail = rest.pop()
  if (tail === undefined) return (text) => text === head
  if (head === '' && tail === '' && rest.length === 0) return () => true
  return (text) => {
    if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false
    const end = text.length - tail.length
    let at = head.length
    for (const part of rest) {
      const found = text.indexOf(part, at)
      if (found < 0 || found + part.length > end) return false
      at = found + part.length
    }
    return true
  }
}
