import type { Outcome, PostResult, RenderedPost } from '../delivery.ts'
import type { Message } from '../message.ts'
import type { FormatName } from './format-names.ts'

/** The message format of a service, one folder per format; `formats.ts` registers them. */
export interface Format {
  /** Name in `#format=` at the end of a URL. */
  name: FormatName
  title: string
  /** Whether a URL without a format belongs to the service. */
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

/** Settings in a URL's fragment, `#format=ntfy&key=value`, which are never sent. */
export function settingsFor(url: URL | undefined) {
  return new URLSearchParams(url?.hash.slice(1) ?? '')
}
