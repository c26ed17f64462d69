import type { ReceivedSubscription } from '../../../contract/received/subscription.ts'
import { ReltError } from '../../../errors.ts'
import { nameKey } from '../../../util/pick-named.ts'

/** Subscriptions with a label of this name, ignoring case. Throws `bad_answer` if the server does not list labels. */
export function withLabel(subscriptions: ReceivedSubscription[], label: string) {
  if (subscriptions.some(({ labels }) => !labels)) {
    throw new ReltError('bad_answer', 'The server does not list the labels of subscriptions.', {
      hint: 'Remove --label.',
    })
  }
  const key = nameKey(label)
  return subscriptions.filter(({ labels }) => labels?.some(({ label_name }) => nameKey(label_name) === key))
}
