import { conceal } from '../contract/channels.ts'
import { type ReceivedAnswer, type Route, type RouteAnswer, type RouteName, routes } from '../contract/routes.ts'

/** An answer of our own service in the form that a client takes: only its secrets differ. */
export function concealAnswer<N extends RouteName>(name: N, answer: RouteAnswer<N>): ReceivedAnswer<N> {
  const { secrets }: Route = routes[name]
  return (secrets ? concealAll(answer as object) : answer) as ReceivedAnswer<N>
}

function concealAll(answer: { subscriptions?: object[] }): object {
  const { subscriptions } = answer
  return { ...conceal(answer), ...(subscriptions && { subscriptions: subscriptions.map(conceal) }) }
}
