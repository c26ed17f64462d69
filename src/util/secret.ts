import { inspect } from 'node:util'

/** A secret text, displayed only in shortened form. */
export class Secret {
  readonly #text: string
  readonly #shorten: (text: string) => string

  constructor(text: string, shorten: (text: string) => string) {
    this.#text = text
    this.#shorten = shorten
  }

  /** The full text, to seal, use or compare it. */
  reveal() {
    return this.#text
  }

  /** The shortened text. */
  toString() {
    return this.#shorten(this.#text)
  }

  toJSON() {
    return this.toString()
  }

  [inspect.custom]() {
    return this.toString()
  }
}
