import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { FoundRelease } from '../../../src/catalog/found-release.ts'
import type { CollectOutcome, Source } from '../../../src/collectors/collector.ts'
import type { HttpSettings } from '../../../src/collectors/http.ts'
import { createOciCollector, type OciSettings } from '../../../src/collectors/oci/index.ts'
import type { SourceState } from '../../../src/collectors/source-state.ts'
import { openHttp } from '../http.ts'
import type { FakeImage, FakeRegistry } from './registry-server.ts'

export const now = Date.UTC(2026, 10, 20) / 1000

interface Options {
  since?: number
  http?: Partial<HttpSettings>
  oci?: Partial<OciSettings>
}

export function collect(
  { host }: { host: string },
  source: Partial<Source> = {},
  state: SourceState = {},
  { since, http, oci }: Options = {},
): Promise<CollectOutcome> {
  const whole: Source = {
    kind: 'oci',
    url: `oci://${host}/charts`,
    slug: 'app',
    tagPattern: null,
    chartNames: ['app'],
    ...source,
  }
  const collector = createOciCollector({ env: { DOCKER_CONFIG: '/no/such' }, ...oci })
  return collector.collect(whole, state, { http: openHttp(http), now: () => now, since })
}

export function changed(outcome: CollectOutcome): { releases: FoundRelease[]; state: SourceState } {
  if (outcome.kind !== 'changed') throw new Error(`It is ${JSON.stringify(outcome)}`)
  return outcome
}

export function dockerFolder(auths: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'relt-docker-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ auths }))
  return folder
}

export const versions = (outcome: CollectOutcome) =>
  changed(outcome).releases.map(({ type, version }) => `${type} ${version}`)
export const paths = ({ asked }: FakeRegistry) => asked.map(({ path, status }) => `${path} ${status}`)

export const created = '2026-11-01T00:00:00Z'
export const chart = (config: object = {}, more: Partial<FakeImage> = {}): FakeImage => ({
  created,
  isChart: true,
  config,
  ...more,
})
