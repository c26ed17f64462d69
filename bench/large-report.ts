import { createCipheriv, randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { createLocalClient } from '../src/client/local.ts'
import { generateReport } from './generate-report.ts'
import { type Figure, inFolder, median, node, runOnce, usageOf, usageOfBareNode } from './measure.ts'
import { binary } from './startup.ts'

const findings = 200_000
const runs = 5

/**
 * A report of 50 MB: its upload, a comparison of two of them and an HTML report, against the bare work on the same bytes. One
 * report has pods that many rows share, the other a pod of its own in each row.
 */
export async function largeReport(): Promise<Figure[]> {
  const floor = usageOfBareNode()
  return [...(await measure('shared pods', false, floor)), ...(await measure('a pod each', true, floor))]
}

type Usage = ReturnType<typeof usageOf>

function measure(title: string, podEach: boolean, floor: Usage): Promise<Figure[]> {
  return inFolder((folder) => {
    const first = join(folder, 'first.json')
    const second = join(folder, 'second.json')
    write(first, { findings, podEach, generatedAt: '2026-06-01T10:00:00Z' })
    write(second, { findings, podEach, changed: 0.01, generatedAt: '2026-06-02T10:00:00Z' })
    const bare: Bare[] = []
    const ours: Ours[] = []
    const peaks: number[] = []
    const uploads: number[] = []
    const pages: Usage[] = []
    for (let run = 0; run < runs; run++) {
      bare.push(inProcess<Bare>('bare', first))
      ours.push(inProcess<Ours>('ours', first, second, join(folder, `home-${run}`)))
      const env = { RELT_HOME: join(folder, `whole-${run}`) }
      uploads.push(runOnce({ argv: [binary(), '--local', 'reports', 'upload', first, '--json'], env }).ms)
      const usage = usageOf(['reports', 'upload', first, '--json'], { RELT_HOME: join(folder, `peak-${run}`) })
      peaks.push(usage.peakMb)
      pages.push(usageOf(['reports', 'html', '--out', join(folder, 'page.html')], env))
    }
    const fileMb = statSync(first).size / 1e6
    const parseMs = median(bare.map((each) => each.parseMs))
    const bareMs = parseMs + median(bare.map((each) => each.packMs))
    const time = (name: string, values: number[], base: number): Figure => {
      return { name: `${title}: ${name}`, ours: median(values), base, unit: 'ms' }
    }
    const memory = (name: string, values: number[], base: number): Figure => {
      return { name: `${title}: ${name}`, ours: median(values), base, unit: 'MB' }
    }
    const ingest = ours.map(({ ingestMs }) => ingestMs)
    const compare = ours.map(({ compareMs }) => compareMs)
    const pageCpu = pages.map(({ cpuMs }) => cpuMs)
    const pagePeaks = pages.map(({ peakMb }) => peakMb)
    return [
      time(`ingest of ${fileMb.toFixed(0)} MB / parse, zstd, AES-GCM`, ingest, bareMs),
      time('whole upload, process and all / parse, zstd, AES-GCM', uploads, bareMs),
      memory('peak memory of relt taking it in / file', peaks, fileMb),
      time('compare of two such runs / parse of one', compare, parseMs),
      time('CPU of the HTML report / parse', pageCpu, parseMs),
      memory('memory of the HTML report / node -e 0', pagePeaks, floor.peakMb),
    ]
  })
}

interface Bare {
  parseMs: number
  packMs: number
}

interface Ours {
  ingestMs: number
  compareMs: number
}

/** Each measurement has a process of its own, so that neither side finds the other's memory or warm code. */
function inProcess<T>(...args: string[]): T {
  return JSON.parse(runOnce({ argv: [node, import.meta.filename, ...args] }).stdout)
}

function write(file: string, options: Parameters<typeof generateReport>[0]): void {
  writeFileSync(file, JSON.stringify(generateReport(options)))
}

function measureBare(file: string): Bare {
  const bytes = readFileSync(file)
  const started = performance.now()
  JSON.parse(bytes.toString('utf8'))
  const parsed = performance.now()
  zstdCompressSync(bytes)
  const cipher = createCipheriv('aes-256-gcm', randomBytes(32), randomBytes(12))
  cipher.update(bytes)
  cipher.final()
  return { parseMs: parsed - started, packMs: performance.now() - parsed }
}

async function measureOurs(first: string, second: string, home: string): Promise<Ours> {
  const now = Math.floor(Date.now() / 1000)
  const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => now })
  const upload = async (file: string) => {
    const report = readFileSync(file)
    const started = performance.now()
    await client.call('uploadReport', { body: {}, report })
    return performance.now() - started
  }
  // From source, loading a module means stripping its types: that is no part of what is measured.
  await client.call('listReports', {})
  const ingestMs = await upload(first)
  await upload(second)
  const started = performance.now()
  await client.call('compareReports', {})
  return { ingestMs, compareMs: performance.now() - started }
}

if (import.meta.main) {
  const [kind, first, second, home] = process.argv.slice(2) as [string, string, string, string]
  const result = kind === 'bare' ? measureBare(first) : await measureOurs(first, second, home)
  process.stdout.write(JSON.stringify(result))
}
