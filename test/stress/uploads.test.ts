import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { generateReport } from '../../bench/generate-report.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { killUploads } from '../helpers/kill-uploads.ts'
import { uploadInParallel } from '../helpers/parallel-uploads.ts'
import { reltFile, start } from '../helpers/process.ts'

test('100 kills in the middle of uploads lose nothing that was answered', () => killUploads(100))

test.each([1, 2, 3])('8 processes upload 25 reports each into one new store, round %i', async () => {
  await uploadInParallel(temporaryFolder(), { processes: 8, reports: 25 })
})

test('a report of 20 MB uploads and compares', async () => {
  const home = temporaryFolder()
  const findings = 85_000
  const reports = [0, 0.1].map((changed, i) =>
    JSON.stringify(generateReport({ findings, changed, generatedAt: `2026-06-0${i + 1}T10:00:00Z` })),
  )
  for (const stdin of reports) {
    expect(stdin.length).toBeGreaterThan(20 * 2 ** 20)
    const { code, stderr } = await runCli(['reports', 'upload', '-', '--json'], { home, stdin })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  }
  const shown = JSON.parse((await runCli(['reports', 'show', '--json'], { home })).stdout)
  expect(shown).toMatchObject({ findings: { total: findings }, size_bytes: Buffer.byteLength(reports[1]!) })
  const compared = JSON.parse((await runCli(['reports', 'compare', '--json'], { home })).stdout)
  // A tenth of the workloads has another name: what they failed is resolved, and new under the new name.
  const { new_findings_count, resolved_findings_count, unchanged_findings_count } = compared
  for (const count of [new_findings_count, resolved_findings_count]) {
    expect(count / (count + unchanged_findings_count)).toBeCloseTo(0.1, 1)
  }
  expect(compared.regressed_findings_count).toBe(0)
  expect(compared.incomparable_findings_count).toBe(0)
  const given = JSON.parse((await runCli(['reports', 'show', '--report'], { home })).stdout)
  expect(given).toEqual(JSON.parse(reports[1]!))
})

const bombs: [name: string, head: string, piece: string, tail: string][] = [
  ['lists in lists', '', '[', ''],
  ['objects in objects', '', '{"a":', ''],
  ['one text', '', '"', ''],
  ['spaces', '', ' ', ''],
  ['findings', '{"metadata":{"clusterName":"x"},"checks":{"A":{"Total":1,"Items":[', '{},', '{}]}}}'],
  ['empty objects beside the findings', '{"metadata":{"clusterName":"x","a":[', '{},', '{}]},"checks":{}}'],
]

test.each(bombs)('a small gzip with 48 MB of %s takes less than 1 GB of memory', async (_, head, piece, tail) => {
  const folder = temporaryFolder()
  const file = join(folder, 'bomb.gz')
  const middle = piece.repeat((48 * 2 ** 20) / piece.length)
  writeFileSync(file, gzipSync(`${head}${middle}${tail}`))
  const tellMemory = 'process.on("exit",()=>console.error("peak",process.resourceUsage().maxRSS))'
  const { finished } = start(reltFile, ['reports', 'upload', file], {
    RELT_HOME: join(folder, 'home'),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tellMemory)}`,
  })
  const { code, stderr } = await finished
  expect([0, 2]).toContain(code)
  expect(Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024).toBeLessThan(1024)
})
