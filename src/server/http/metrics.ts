import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export interface ObservedRequest {
  route: string
  method: string
  status: number
  seconds: number
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Numbers for Prometheus; labels have few values, whatever callers send. */
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

  constructor() {
    collectDefaultMetrics({ register: this.#registry })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  observe({ route, method, status, seconds }: ObservedRequest): void {
    const labels = { route, method: methods.has(method) ? method : 'other', status }
    this.#count.inc(labels)
    this.#duration.observe(labels, seconds)
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }
}
