import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLocalClient } from '../src/client/local.ts'
import type { Finding } from '../src/contract/scan-finding.ts'
import { completePolicy } from '../src/gate/complete-policy.ts'
import { evaluateGate } from '../src/gate/evaluate.ts'
import { readPolicy } from '../src/gate/read-policy.ts'
import { listFindings } from '../src/reports/list-findings.ts'
import { generateReport } from './generate-report.ts'
import { type Figure, inFolder, median, node, runOnce } from './measure.ts'

const findings = 200_000
const runs = 5

/** Deciding about 200,000 findings, every one of them new, with 200 exceptions, against parsing their report. */
export function gate(): Promise<Figure[]> {
  return inFolder((folder) => {
    const file = join(folder, 'report.json')
    writeFileSync(file, JSON.stringify(generateReport({ findings })))
    const measured = Array.from({ length: runs }, (_, run) => inProcess(file, join(folder, `home-${run}`)))
    return [
      {
        name: 'gate on 200,000 findings / parse of the report',
        ours: median(measured.map((each) => each.gateMs)),
        base: median(measured.map((each) => each.parseMs)),
        unit: 'ms',
      },
    ]
  })
}

interface Measured {
  parseMs: number
  gateMs: number
}

function inProcess(...args: string[]): Measured {
  return JSON.parse(runOnce({ argv: [node, import.meta.filename, ...args] }).stdout)
}

async function measure(file: string, home: string): Promise<Measured> {
  const report = readFileSync(file)
  const started = performance.now()
  JSON.parse(report.toString('utf8'))
  const parseMs = performance.now() - started

  const now = Math.floor(Date.now() / 1000)
  const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => now })
  const first = generateReport({ findings: 10, seed: 2, generatedAt: '2026-05-01T10:00:00Z' })
  first.metadata.clusterName = 'generated-1'
  await client.call('uploadReport', { body: {}, report: Buffer.from(JSON.stringify(first)) })
  const { run_id } = await client.call('uploadReport', { body: {}, report })
  const run = await client.call('getReport', { params: { run_id } })
  const compared = await client.call('compareReports', { query: { to_run_id: run_id } })
  const listed = await listFindings(report, 'kubebuddy')
  const comparison = { ...compared, new_findings: listed, new_findings_count: listed.length }
  const policy = completePolicy(readPolicy(policyFor(listed), 'relt.yaml'), { failOn: [] })
  const before = performance.now()
  const { verdict } = evaluateGate(policy, { run, comparison, findings: listed }, now)
  const gateMs = performance.now() - before
  if (verdict !== 'failed') throw new Error(`the gate is ${verdict}`)
  return { parseMs, gateMs }
}

/** Half of the exceptions name a finding, half are patterns. */
function policyFor(listed: Finding[]): string {
  const until = 'reason: measured, expires: 2099-12-31'
  const exceptions = Array.from({ length: 100 }, (_, i) => [
    `- {fingerprint: "${listed[i * 100]!.fingerprint}", ${until}}`,
    `- {check: "*", namespace: team-${i % 97}-*, resource: "pod/*-${i}-*", ${until}}`,
  ])
  return `gate:\n  fail_on: [new>=low, findings>=medium, score<80]\n  exceptions:\n    ${exceptions.flat().join('\n    ')}\n`
}

if (import.meta.main) {
  const [file, home] = process.argv.slice(2) as [string, string]
  process.stdout.write(JSON.stringify(await measure(file, home)))
}
