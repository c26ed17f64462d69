import { ReltError } from '../../errors.ts'

const megabyte = 1024 * 1024

/** Limits in bytes, except the last. */
interface BodyLimits {
  /** Above this, bodies are rejected. */
  total: number
  /** Above this, bodies wait for others to complete. */
  shared?: number
  /** Above this, bodies of one owner wait for each other. */
  perOwner: number
  /** A body up to this size never waits. */
  little?: number
  /** How long a body waits, in milliseconds. */
  patienceMs?: number
}

const usual = {
  total: 1024 * megabyte,
  shared: 128 * megabyte,
  perOwner: 32 * megabyte,
  little: megabyte,
  patienceMs: 30_000,
}

interface Owner {
  name: string
  held: number
  /** Bodies with bytes in memory, in order of arrival. */
  bodies: Set<Body>
}

interface Body {
  held: number
  owner: Owner | undefined
  /** Waits for other bodies to complete. */
  waiting: { bytes: number; start: () => void; timer: NodeJS.Timeout } | undefined
}

/**
 * Limits the bytes of all request bodies in memory, so that many large uploads at once do not exhaust it. Bodies without
 * room wait, including those of an owner with a full share while others proceed.
 */
export class BodyBudget {
  readonly #limits: Required<BodyLimits>
  readonly #owners = new Map<string, Owner>()
  /** All bodies with bytes in memory, in order of arrival. */
  readonly #bodies = new Set<Body>()
  #held = 0

  constructor(limits: BodyLimits = usual) {
    this.#limits = { shared: limits.total, little: 0, patienceMs: usual.patienceMs, ...limits }
  }

  get free() {
    return this.#limits.total - this.#held
  }

  /** Opens the account of one request. */
  open(): HeldBytes {
    const body: Body = { held: 0, owner: undefined, waiting: undefined }
    return {
      take: (name, bytes) => this.#take(body, this.#join(body, name), bytes),
      release: () => this.#release(body),
    }
  }

  #join(body: Body, name: string) {
    if (body.owner) return body.owner
    const owner = this.#owners.get(name) ?? { name, held: 0, bodies: new Set() }
    this.#owners.set(name, owner)
    this.#bodies.add(body)
    owner.bodies.add(body)
    body.owner = owner
    return owner
  }

  #take(body: Body, owner: Owner, bytes: number): Promise<void> | undefined {
    if (this.#hasRoom(body, owner, bytes)) return this.#grant(body, owner, bytes)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const start = () => {
      try {
        resolve(this.#grant(body, owner, bytes))
      } catch (error) {
        reject(error)
      }
    }
    body.waiting = { bytes, start, timer: setTimeout(() => reject(tooMany()), this.#limits.patienceMs) }
    return promise
  }

  /** The oldest body of all always proceeds, and so does an owner's oldest if others leave room: this avoids a deadlock. */
  #hasRoom(body: Body, owner: Owner, bytes: number) {
    const { shared, perOwner, little } = this.#limits
    if (body.held + bytes <= little || isFirst(body, this.#bodies)) return true
    return this.#held + bytes <= shared && (owner.held + bytes <= perOwner || isFirst(body, owner.bodies))
  }

  #grant(body: Body, owner: Owner, bytes: number): undefined {
    if (bytes > this.free) throw tooMany()
    this.#held += bytes
    owner.held += bytes
    body.held += bytes
  }

  #release(body: Body) {
    const { owner, waiting } = body
    if (!owner) return
    clearTimeout(waiting?.timer)
    this.#held -= body.held
    owner.held -= body.held
    this.#bodies.delete(body)
    owner.bodies.delete(body)
    if (owner.bodies.size === 0) this.#owners.delete(owner.name)
    Object.assign(body, { held: 0, owner: undefined, waiting: undefined })
    for (const each of this.#bodies) {
      if (!each.waiting || !this.#hasRoom(each, each.owner!, each.waiting.bytes)) continue
      const { start, timer } = each.waiting
      clearTimeout(timer)
      each.waiting = undefined
      start()
    }
  }
}

const isFirst = (body: Body, bodies: Set<Body>) => bodies.values().next().value === body

const tooMany = () => new ReltError('busy', 'Too many large bodies at once.', { retryAfter: 5 })

export interface HeldBytes {
  /**
   * A promise that resolves when other bodies leave room. Throws `busy` at the limit for all owners, or after too long a
   * wait.
   */
  take(owner: string, bytes: number): Promise<void> | undefined
  release(): void
}
