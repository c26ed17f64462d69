import { isRetiredConnector } from '../../contract/channel-table.ts'
import type { Secret } from '../../util/secret.ts'
import type { Delivery, Outcome, PostResult } from '../delivery.ts'
import type { Message } from '../message.ts'
import { gone, outcomeFor, wordIn } from '../outcome.ts'
import { renderCard, renderTeams } from './render.ts'

/** `#format=card` at the end of a URL, which is never sent, requests the plain card. */
function toBody(message: Message, target?: Secret) {
  const isBare = target !== undefined && /#format=card$/.test(target.reveal())
  return JSON.stringify(isBare ? renderCard(message) : renderTeams(message))
}

export const deliver: Delivery = {
  // Workflows allow more, but Teams channels accept about one message per second.
  secondsBetween: 1,
  render: (message, target) => ({ kind: 'post', contentType: 'application/json', body: toBody(message, target) }),
  async send(message, target, { post, signal }) {
    const url = target.reveal()
    const parsed = URL.parse(url)
    if (parsed && isRetiredConnector(parsed)) {
      return { result: 'gone', reason: 'Microsoft has retired connectors; use a Workflows webhook', httpStatus: null }
    }
    const headers = { 'content-type': 'application/json' }
    return teamsOutcome(await post({ url, headers, body: toBody(message, target), signal }))
  },
}

/** Error codes of Power Automate and Logic Apps. */
const ended = ['WorkflowNotFound', 'WorkflowTriggerIsNotEnabled', 'TriggerNotFound', 'WorkflowDisabled'] as const

/** 202: the workflow accepted the message, but may not post it. */
function teamsOutcome(result: PostResult): Outcome {
  const { status } = result
  if (status === 202) return { result: 'accepted', httpStatus: status }
  if (status !== null && status >= 400 && status < 500) {
    const word = wordIn(result, ended)
    if (word !== undefined) return gone(word, result)
    if (status === 404) return gone('the workflow is gone', result)
  }
  return outcomeFor(result)
}
