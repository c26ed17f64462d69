import type { RouteCaller } from '../../../client/client.ts'
import type { ReceivedSubscription } from '../../../contract/received/subscription.ts'
import { ReltError } from '../../../errors.ts'
import { knownId } from '../../../util/known-id.ts'
import { nameKey } from '../../../util/project-name.ts'
import { choose, requireInteractive } from '../../input/choose.ts'
import type { Cli } from '../../program/command.ts'
import { getProjectName, type ProjectCandidate } from '../projects/resolve.ts'

export async function listSubscriptions(client: RouteCaller) {
  return (await client.call('listSubscriptions', {})).subscriptions
}

/**
 * The subscription to the project with this id, slug or name. Throws `not_found`, or `bad_answer` if the server does not
 * return its id.
 */
export async function getSubscription(cli: Cli, all: ReceivedSubscription[], idOrName: string) {
  const project = await findProject(cli, all, idOrName)
  const found = all.find((subscription) => subscription.product_id === project.id)
  if (found) return { ...found, id: knownId(found.id, `the subscription to ${project.name}`) }
  throw new ReltError('not_found', `You are not subscribed to ${project.name}.`, {
    hint: `Subscribe: relt subs add ${project.id}`,
  })
}

/** Searches the subscriptions first, which usually avoids a catalog request. */
export async function findProject(cli: Cli, all: ReceivedSubscription[], idOrName: string): Promise<ProjectCandidate> {
  const key = nameKey(idOrName)
  const found = all.filter(({ product_id, name }) => String(product_id) === idOrName || nameKey(name) === key)
  return found.length === 1 ? { id: found[0]!.product_id, name: found[0]!.name } : getProjectName(cli, idOrName)
}

/** The project id of a chosen subscription. */
export async function chooseSubscription(cli: Cli) {
  requireInteractive(cli.io, 'project')
  const all = await listSubscriptions(cli)
  if (all.length === 0)
    throw new ReltError('not_found', 'No subscriptions yet.', { hint: 'Subscribe: relt subs add PROJECT' })
  return choose(cli, 'project', async (term) =>
    all
      .filter(({ name }) => nameKey(name).includes(nameKey(term)))
      .map(({ product_id, name, description }) => ({ value: String(product_id), name, about: description ?? '' })),
  )
}
