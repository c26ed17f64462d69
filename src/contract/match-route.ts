import { type Route, type RouteName, routes } from './routes.ts'

/** Finds the route for a method and a path below the base, such as `GET /projects/3`. */
export function matchRoute(
  method: string,
  path: string,
): { name: RouteName; route: Route; params: Record<string, string> } | undefined {
  const words = path.split('/')
  const matches = (Object.entries(routes) as [RouteName, Route][])
    .filter(([, route]) => route.method === method)
    .flatMap(([name, route]) => {
      const params = match(route.path.split('/'), words)
      return params ? [{ name, route, params }] : []
    })
  // `/cluster-reports/compare` is no run called "compare".
  return matches.toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0]
}

function match(pattern: string[], words: string[]): Record<string, string> | undefined {
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

function decode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
