/** Below these, names are those of scanners, users or other programs. */
const foreign = new Set(['report', 'settings', 'inventory', 'params', 'payload', 'body'])

/** Commands whose JSON has the form of another program, or is a file of one. */
const foreignCommands =
  /^(?:api|openapi|agent manifests|gate vex|notify preview|plan|profiles|scan inventory|version|export|completion)\b/

/** Names in relt's own JSON that are not in snake case. */
export function strangeKeys(argv: readonly string[], stdout: string): string[] {
  if (!argv.includes('--json') || foreignCommands.test(argv.join(' ')) || argv.includes('--report')) return []
  try {
    return [...new Set(keysIn(JSON.parse(stdout)))].filter((key) => !/^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(key))
  } catch {
    return []
  }
}

function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...(foreign.has(key) ? [] : keysIn(inner))])
}
