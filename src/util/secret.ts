import { inspect } from 'node:util'

/** A text that may be shown in short only: whoever reads all of it can use it. */
export class Secret {
  readonly #text: string
  readonly #shorten: (text: string) => string

  constructor(text: string, shorten: (text: string) => string) {
    this.#text = text
    this.#shorten = shorten
  }

  /** All of it, to seal it, to send to it or to compare it. */
  reveal(): string {
    return this.#text
  }

  /** Shortened. */
  toString(): string {
    return this.#shorten(this.#text)
  }

  toJSON(): string {
    return this.toString()
  }

  [inspect.custom](): string {
    return this.toString()
  }
}
