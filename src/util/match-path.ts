/**
 * The entry whose path, such as `/runs/{run_id}`, matches. A fixed word is preferred to a parameter: `/runs/compare` is not
 * a run.
 */
export function matchPath<T extends { path: string }>(entries: readonly T[], path: string) {
  const words = path.split('/')
  const found = entries.flatMap((entry) => {
    const params = match(entry.path.split('/'), words)
    return params ? [{ entry, params }] : []
  })
  return found.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0]
}

function match(pattern: string[], words: string[]) {
  if (pattern.length !== words.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, part] of pattern.entries()) {
    const word = words[i]!
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name !== undefined && word !== '') params[name] = decode(word)
    else if (part !== word) return undefined
  }
  return params
}

function decode(word: string) {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
