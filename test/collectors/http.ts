import { onTestFinished } from 'vitest'
import { createHttp, type Http, type HttpSettings } from '../../src/collectors/http.ts'

export function openHttp(settings: Partial<HttpSettings> = {}): Http {
  const http = createHttp({
    env: {},
    access: { allowedNets: ['127.0.0.0/8'], trustedOrigins: [] },
    now: () => Math.floor(Date.now() / 1000),
    signal: new AbortController().signal,
    perHost: 8,
    patienceMs: 60_000,
    retryPausesMs: [1, 1],
    maxWaitSeconds: 3,
    ...settings,
  })
  onTestFinished(() => http.close())
  return http
}
