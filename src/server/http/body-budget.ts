import { ReltError } from '../../errors.ts'

const megabyte = 1024 * 1024
const usual = { total: 1024 * megabyte, perOwner: 256 * megabyte }

interface Owner {
  name: string
  held: number
  /** Bodies that hold bytes, in the order in which they came. */
  bodies: Body[]
}

interface Body {
  held: number
  owner: Owner | undefined
  /** Waits for its owner's other bodies to go. */
  waiting: { bytes: number; start: () => void } | undefined
}

/**
 * Limits the bytes of all request bodies in memory, so that many large uploads at once do not end the process. An owner
 * with a full share waits while others proceed.
 */
export class BodyBudget {
  readonly #perOwner: number
  readonly #owners = new Map<string, Owner>()
  #free: number

  constructor({ total, perOwner } = usual) {
    this.#free = total
    this.#perOwner = perOwner
  }

  get free(): number {
    return this.#free
  }

  /** For one request. */
  open(): HeldBytes {
    const body: Body = { held: 0, owner: undefined, waiting: undefined }
    return {
      take: (name, bytes) => this.#take(body, name, bytes),
      release: () => this.#release(body),
    }
  }

  #take(body: Body, name: string, bytes: number): Promise<void> | undefined {
    const owner = this.#join(body, name)
    if (this.#fits(body, owner, bytes)) return this.#grant(body, owner, bytes)
    return new Promise((resolve, reject) => {
      const start = () => {
        try {
          this.#grant(body, owner, bytes)
          resolve()
        } catch (error) {
          reject(error)
        }
      }
      body.waiting = { bytes, start }
    })
  }

  #join(body: Body, name: string): Owner {
    if (body.owner) return body.owner
    const owner = this.#owners.get(name) ?? { name, held: 0, bodies: [] }
    this.#owners.set(name, owner)
    owner.bodies.push(body)
    body.owner = owner
    return owner
  }

  /** An owner's oldest body always goes on, so that its bodies do not wait for each other. */
  #fits(body: Body, owner: Owner, bytes: number): boolean {
    return owner.held + bytes <= this.#perOwner || owner.bodies[0] === body
  }

  #grant(body: Body, owner: Owner, bytes: number): undefined {
    if (bytes > this.#free) throw new ReltError('busy', 'Too many large bodies at once.')
    this.#free -= bytes
    owner.held += bytes
    body.held += bytes
  }

  #release(body: Body): void {
    const { owner } = body
    if (!owner) return
    this.#free += body.held
    owner.held -= body.held
    owner.bodies = owner.bodies.filter((each) => each !== body)
    Object.assign(body, { held: 0, owner: undefined, waiting: undefined })
    for (const each of owner.bodies) {
      if (!each.waiting || !this.#fits(each, owner, each.waiting.bytes)) continue
      const { start } = each.waiting
      each.waiting = undefined
      start()
    }
    if (owner.bodies.length === 0) this.#owners.delete(owner.name)
  }
}

export interface HeldBytes {
  /** A promise that resolves when the owner's other bodies leave room. Throws `busy` when the limit of all owners is reached. */
  take(owner: string, bytes: number): Promise<void> | undefined
  release(): void
}
