import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Source } from '../src/collectors/collector.ts'
import { createHelmCollector } from '../src/collectors/helm/index.ts'
import { createHttp } from '../src/collectors/http.ts'
import { type Figure, inFolder, median, node, ownPeakMb, runOnce } from './measure.ts'

const charts = 50
const versions = 200
const runs = 5

/** A repository's index of 20 MB with 10,000 entries: reading one chart of it, against parsing the same data as JSON. */
export function helmIndex(): Promise<Figure[]> {
  return inFolder((folder) => {
    const yaml = join(folder, 'index.yaml')
    const json = join(folder, 'index.json')
    const index = generateIndex()
    writeFileSync(yaml, stringify(index, { aliasDuplicateObjects: false }))
    writeFileSync(json, JSON.stringify(index))
    const measured = Array.from({ length: runs }, () => ({
      bare: inProcess('bare', json),
      ours: inProcess('ours', yaml),
    }))
    const fileMb = statSync(yaml).size / 1e6
    return [
      {
        name: `index.yaml of ${fileMb.toFixed(0)} MB, one chart / JSON.parse`,
        ours: median(measured.map(({ ours }) => ours.ms)),
        base: median(measured.map(({ bare }) => bare.ms)),
        unit: 'ms',
      },
      {
        name: 'peak memory of collecting it / file',
        ours: median(measured.map(({ ours }) => ours.peakMb)),
        base: fileMb,
        unit: 'MB',
      },
    ]
  })
}

interface Measured {
  ms: number
  peakMb: number
}

function inProcess(kind: string, file: string): Measured {
  return JSON.parse(runOnce({ argv: [node, import.meta.filename, kind, file] }).stdout)
}

function measureBare(file: string): number {
  const text = readFileSync(file, 'utf8')
  const started = performance.now()
  JSON.parse(text)
  return performance.now() - started
}

/** By HTTP and all, less the time of fetching alone. */
async function measureOurs(file: string): Promise<number> {
  const body = readFileSync(file)
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/yaml', 'content-length': body.length }).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const now = () => Math.floor(Date.now() / 1000)
  const { signal } = new AbortController()
  const http = createHttp({
    env: {},
    access: { allowedNets: ['127.0.0.1'], trustedOrigins: [] },
    now,
    signal,
    perHost: 4,
    patienceMs: 30_000,
    retryPausesMs: [],
    maxWaitSeconds: 0,
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const collect = async (chart: string) => {
    let fetchMs = 0
    const timed: typeof http = {
      ...http,
      async ask(question) {
        const started = performance.now()
        const answer = await http.ask(question)
        fetchMs = performance.now() - started
        return answer
      },
    }
    const started = performance.now()
    const source: Source = { kind: 'helm', url, slug: chart, tagPattern: null, chartNames: [chart] }
    const outcome = await createHelmCollector().collect(source, {}, { http: timed, now })
    const found = outcome.kind === 'changed' ? outcome.releases.length : 0
    return { ms: performance.now() - started - fetchMs, found }
  }
  // From source, loading a module means stripping its types: that is no part of what is measured.
  await collect('none')
  const { ms, found } = await collect('chart-25')
  if (found !== versions) throw new Error(`${found} of ${versions} versions were found`)
  await http.close()
  server.close()
  return ms
}

function generateIndex(): unknown {
  const names = Array.from({ length: charts }, (_, i) => `chart-${i}`)
  return {
    apiVersion: 'v1',
    entries: Object.fromEntries(names.map((name) => [name, toEntries(name)])),
    generated: day(0),
  }
}

function toEntries(name: string): unknown[] {
  return Array.from({ length: versions }, (_, i) => {
    const version = `${20 - Math.floor(i / 20)}.${19 - (i % 20)}.0`
    const changes = Array.from({ length: 5 }, (_, n) => ({
      kind: n === 0 ? 'security' : 'changed',
      description: `Change ${n} of ${name} ${version}: "requests" are set, and CVE-2026-${10_000 + i} is fixed`,
      links: [{ name: 'Pull request', url: `https://example.com/${name}/pull/${i * 5 + n}` }],
    }))
    return {
      annotations: {
        'artifacthub.io/changes': stringify(changes),
        'artifacthub.io/containsSecurityUpdates': 'true',
        'artifacthub.io/images': stringify([{ name, image: `docker.io/example/${name}:${version}` }]),
        category: 'Infrastructure',
      },
      apiVersion: 'v2',
      appVersion: version,
      created: day(i),
      dependencies: [{ name: 'common', repository: 'oci://registry.example.com/charts', version: '2.x.x' }],
      description: `${name} runs in clusters: "quoted", with a colon, and a text that goes on until it is longer than a line of YAML may be.`,
      digest: `${i}`.padStart(64, 'a'),
      home: `https://example.com/${name}`,
      keywords: ['database', 'cluster', name],
      maintainers: [{ name: 'Example', url: 'https://github.com/example/charts' }],
      name,
      sources: [`https://github.com/example/charts/tree/main/${name}`],
      urls: [`https://charts.example.com/${name}-${version}.tgz`],
      version,
    }
  })
}

function day(daysAgo: number): string {
  return new Date(Date.UTC(2026, 10, 1) - daysAgo * 86_400_000).toISOString()
}

if (import.meta.main) {
  const [kind, file] = process.argv.slice(2) as [string, string]
  const ms = kind === 'bare' ? measureBare(file) : await measureOurs(file)
  process.stdout.write(JSON.stringify({ ms, peakMb: ownPeakMb() }))
}
