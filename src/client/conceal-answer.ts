import { conceal } from '../contract/channels.ts'
import { loadRoute } from '../contract/load-route.ts'
import type { ReceivedAnswer, RouteAnswer, RouteName } from '../contract/routes.ts'

/** Converts an answer of the service in this process to the form that clients return: only its secrets differ. */
export async function concealAnswer<N extends RouteName>(name: N, answer: RouteAnswer<N>): Promise<ReceivedAnswer<N>> {
  const { secrets } = await loadRoute(name)
  return (secrets ? concealAll(answer as object) : answer) as ReceivedAnswer<N>
}

function concealAll(answer: { subscriptions?: object[] }): object {
  const { subscriptions } = answer
  return { ...conceal(answer), ...(subscriptions && { subscriptions: subscriptions.map(conceal) }) }
}
