import { createHash } from 'node:crypto'
import type { Delivery } from '../delivery.ts'
import type { Message } from '../message.ts'
import { renderMail } from './render.ts'

export const deliver: Delivery = {
  // The transport limits the rate of all mails.
  secondsBetween: 0,
  render: renderMail,
  async send(message, target, { mail, signal }) {
    if (!mail) return { result: 'refused', reason: 'no mail server is set up', httpStatus: null }
    const request = { to: target.reveal(), id: message.id, references: toThreads(message), signal }
    return mail.send({ ...request, mail: renderMail(message) })
  },
}

/** Mails about one project, cluster or kind of digest form a thread. */
function toThreads({ events, digest }: Message) {
  if (digest) return [`digest-${digest.period}`]
  if (events[0]?.type === 'fleet.report') return ['fleet-report']
  const threads = events.map((event) => {
    if ('project' in event) return `project-${event.project.id}`
    return 'cluster' in event
      ? `cluster-${createHash('sha256').update(`${event.cluster}\n${event.environment}`).digest('hex').slice(0, 32)}`
      : undefined
  })
  const [first] = threads
  return first !== undefined && threads.every((thread) => thread === first) ? [first] : []
}
