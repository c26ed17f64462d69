import type { Delivery, PostResult } from '../delivery.ts'
import { gone, outcomeFor, wordIn } from '../outcome.ts'
import { renderSlack } from './render.ts'

export const deliver: Delivery = {
  secondsBetween: 1,
  render: (message) => ({ kind: 'post', contentType: 'application/json', body: JSON.stringify(renderSlack(message)) }),
  async send(message, target, { post, signal }) {
    const body = JSON.stringify(renderSlack(message))
    const headers = { 'content-type': 'application/json' }
    return slackOutcome(await post({ url: target.reveal(), headers, body, signal }))
  },
}

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks#handling_errors */
const ended = [
  'no_service',
  'no_team',
  'channel_is_archived',
  'channel_not_found',
  'team_disabled',
  'invalid_token',
  'no_active_hooks',
] as const
const refusals = [
  'invalid_payload',
  'invalid_blocks',
  'action_prohibited',
  'posting_to_general_channel_denied',
] as const

function slackOutcome(result: PostResult) {
  const { status } = result
  if (status === null || status < 400) return outcomeFor(result)
  const word = wordIn(result, ended)
  if (word !== undefined && status < 500) return gone(word, result)
  if (status === 404 || status === 410) return gone('the webhook is gone', result)
  const outcome = outcomeFor(result)
  return outcome.result === 'refused' ? { ...outcome, reason: wordIn(result, refusals) ?? outcome.reason } : outcome
}
