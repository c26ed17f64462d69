import type { Delivery } from '../delivery.ts'
import { outcomeFor } from '../outcome.ts'
import { toFormat } from './formats.ts'
import { signatureHeaders } from './standard/sign.ts'

export const deliver: Delivery = {
  secondsBetween: 0,
  render(message, target) {
    const url = target && (URL.parse(target.reveal()) ?? undefined)
    return toFormat(url).render(message, url)
  },
  async send(message, target, { post, signingSecrets, now, signal }) {
    const url = URL.parse(target.reveal())
    if (!url) return { result: 'refused', reason: 'the address is not valid', httpStatus: null }
    const format = toFormat(url)
    const { body, contentType, url: place = url.href } = format.render(message, url)
    const isSigned = format.name === 'standard'
    const signature = isSigned ? signatureHeaders({ id: message.id, at: now(), body, secrets: signingSecrets }) : {}
    const result = await post({ url: place, headers: { 'content-type': contentType, ...signature }, body, signal })
    return (format.outcomeFor ?? outcomeFor)(result)
  },
}
