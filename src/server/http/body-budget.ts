import { ReltError } from '../../errors.ts'

const maxBytes = 1024 * 1024 * 1024

/** Bytes of bodies that all running requests together may hold: many large uploads at once must not end the process. */
export class BodyBudget {
  #free: number

  constructor(bytes = maxBytes) {
    this.#free = bytes
  }

  get free(): number {
    return this.#free
  }

  /** For one request. */
  open(): HeldBytes {
    let held = 0
    return {
      take: (bytes) => {
        if (bytes > this.#free) throw new ReltError('busy', 'Too many large bodies at once.')
        this.#free -= bytes
        held += bytes
      },
      release: () => {
        this.#free += held
        held = 0
      },
    }
  }
}

export interface HeldBytes {
  /** Throws `busy` when there is no room. */
  take(bytes: number): void
  release(): void
}
