import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface ObservedRequest {
  route: string
  method: string
  status: number
  seconds: number
}

export interface DeliveryCounts {
  counts: { channel: string; state: string; count: number }[]
  /** Age of the oldest due message; 0 if none is due. */
  oldestSeconds: number
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Metrics for Prometheus. Labels have few values whatever clients send, so there are few series. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #count = new Counter({
    name: 'relt_http_requests_total',
    help: 'Requests answered',
    labelNames: ['route', 'method', 'status'],
    registers: [this.#registry],
  })
  readonly #duration = new Histogram({
    name: 'relt_http_request_duration_seconds',
    help: 'Time from the head of a request to its answer',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.#registry],
  })

  /** Both functions read the store. `countSilent` returns the number of silent clusters. */
  constructor(countSilent: () => Promise<number>, countDeliveries: () => Promise<DeliveryCounts>) {
    collectDefaultMetrics({ register: this.#registry })
    new Gauge({
      name: 'relt_clusters_silent',
      help: 'Clusters without a report for longer than expected',
      registers: [this.#registry],
      async collect() {
        // The other metrics matter most when the store is unavailable.
        this.set(await countSilent().catch(() => Number.NaN))
      },
    })
    const oldest = new Gauge({
      name: 'relt_notifications_oldest_due_seconds',
      help: 'How long the oldest due notification has waited',
      registers: [this.#registry],
    })
    new Gauge({
      name: 'relt_notifications',
      help: 'Stored notifications by channel and state',
      labelNames: ['channel', 'state'],
      registers: [this.#registry],
      async collect() {
        this.reset()
        oldest.set(Number.NaN)
        const found = await countDeliveries().catch(() => undefined)
        if (!found) return
        oldest.set(found.oldestSeconds)
        for (const { channel, state, count } of found.counts) this.set({ channel, state }, count)
      },
    })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  observe({ route, method, status, seconds }: ObservedRequest) {
    const labels = { route, method: methods.has(method) ? method : 'other', status }
    this.#count.inc(labels)
    this.#duration.observe(labels, seconds)
  }

  text() {
    return this.#registry.metrics()
  }
}
