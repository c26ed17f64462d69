import { matchPath } from '../util/match-path.ts'
import { type Route, type RouteName, routes } from './routes.ts'

/** Finds the route for a method and a path below the base, such as `GET /projects/3`. */
export function matchRoute(method: string, path: string) {
  const ofMethod = (Object.entries(routes) as [RouteName, Route][])
    .filter(([, route]) => route.method === method)
    .map(([name, route]) => ({ name, route, path: route.path }))
  const found = matchPath(ofMethod, path)
  return found && { name: found.entry.name, route: found.entry.route, params: found.params }
}
