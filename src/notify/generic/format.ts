import type { Outcome, PostResult, RenderedPost } from '../delivery.ts'
import type { Message } from '../message.ts'
import type { FormatName } from './format-names.ts'

/** The message format of a service. A folder per format; `formats.ts` registers them. */
export interface Format {
  /** As `#format=` at the end of an address names it. */
  name: FormatName
  title: string
  /** Whether an address without a named format belongs to the service. */
  isAt?: (url: URL) => boolean
  secondsBetween: number
  /** `url`: the target; undefined in previews. */
  render(message: Message, url: URL | undefined): RenderedPost
  outcomeFor?: (result: PostResult) => Outcome
}

export const json = (body: unknown): RenderedPost => ({
  kind: 'post',
  contentType: 'application/json',
  body: JSON.stringify(body),
})

/** Settings at the end of an address, `#format=ntfy&key=value`, which are never sent. */
export function settingsFor(url: URL | undefined): URLSearchParams {
  return new URLSearchParams(url?.hash.slice(1) ?? '')
}
