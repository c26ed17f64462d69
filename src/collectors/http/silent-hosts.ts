/** Questions to one host that got no answer, one after the other. */
const mostFailures = 3
/** Hosts, when none has ever answered: then it is the network. */
const mostHosts = 8

/** Hosts that do not answer. Waiting for a time-out of each request would take hours. */
export class SilentHosts {
  readonly #failures = new Map<string, { count: number; reason: string }>()
  #hasHeard = false

  /** Reason why the host is skipped; undefined if it is not. */
  reasonFor(host: string): string | undefined {
    const failed = this.#failures.get(host)
    if (failed && failed.count >= mostFailures) return failed.reason
    if (this.#hasHeard || this.#failures.size < mostHosts) return undefined
    return failed?.reason ?? `${host}: not asked, since no other host answers`
  }

  heard(host: string): void {
    this.#failures.delete(host)
    this.#hasHeard = true
  }

  notHeard(host: string, reason: string): void {
    this.#failures.set(host, { count: (this.#failures.get(host)?.count ?? 0) + 1, reason })
  }
}
