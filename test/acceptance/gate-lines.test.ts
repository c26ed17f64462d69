import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { nativeReportFile } from '../helpers/report.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Every call of `relt ci` that a user copies from a page or a template. */
const lines = ['README.md', ...filesIn('docs'), ...filesIn('templates')].flatMap((file) =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /^(?![ ]*(?:#|\/\/)).*?(?<![\w`.-])(?:\.relt-bin\/)?(relt ci [^'\n`]*(?:'[^'\n]*'[^'\n]*)?)/gm,
    ),
  ].map(([, line]) => [file, line!.replace(/'$/, '')] as const),
)

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath.slice(root.length)}/${entry.name}`)
    .filter((file) => !/docs\/(?:decisions|cli|json)/.test(file))
}

test('the lines come from the README, three pages and five templates', () => {
  expect([...new Set(lines.map(([file]) => file))].sort()).toEqual([
    'README.md',
    'docs/first-ten-minutes.md',
    'docs/recipes.md',
    'docs/reports.md',
    'templates/ci/Jenkinsfile',
    'templates/ci/azure-pipelines.yml',
    'templates/ci/github/workflow.yml',
    'templates/ci/gitlab.yml',
    'templates/relt-gate/template.yml',
  ])
})

interface Check {
  ID: string
  Severity?: string
  Total?: number
  Items?: unknown
  [member: string]: unknown
}

interface Report {
  metadata: { generatedAt: string; [member: string]: unknown }
  checks: Record<string, Check>
}

const row = (Resource: string) => ({ Namespace: 'shop', Resource, Value: '', Message: 'No endpoints' })
const failing = (severity: string): Check => ({
  ...{ ID: 'NET001', Name: 'Services Without Endpoints', Category: 'Networking', Severity: severity, Weight: 2 },
  ...{ Total: 2, Items: [row('service/cart'), row('service/web')] },
})
const toChecks = (...checks: Check[]) => Object.fromEntries(checks.map((check) => [check.ID, check]))
const metadata = { clusterName: 'prod-eu', kubernetesVersion: 'v1.31.2', generatedAt: '2026-08-22T00:36:27Z' }
const scriptFailed = (ID: string, Name: string, why: string): Check => ({
  ...{ ID, Name, Error: `Script block execution failed: ${why}` },
})

/** Reports in the three forms of KubeBuddy that are in use, each with the checks that its build cannot run. */
const generations: Record<string, Report> = {
  'native 2026-04': withYoungPrometheus(JSON.parse(readFileSync(nativeReportFile, 'utf8'))),
  'native 2026-08': {
    metadata: { ...metadata, score: 51 },
    checks: toChecks(failing('critical'), {
      ...{ ID: 'NET019', Name: 'Services Using External IPs', Category: 'Networking', Severity: 'critical', Weight: 4 },
      ...{ Total: 0, Items: { Status: 'Skipped', Message: 'Unable to check due to: unsupported operator "exists"' } },
    }),
  },
  PowerShell: {
    metadata: { ...metadata, score: 45 },
    checks: toChecks(
      failing('Critical'),
      scriptFailed(
        'WRK003',
        'StatefulSet Incomplete Rollout',
        "The term '\\$ready/$desired\\' is not recognized as a name of a cmdlet, function, script file, or executable program.",
      ),
      scriptFailed('NODE002', 'Node Resource Pressure', 'Cannot convert value "14Gi" to type "System.Int32".'),
    ),
  },
}

/** The fixture leaves out texts of the scanner; this is the one of both checks. */
function withYoungPrometheus(report: Report): Report {
  const Message = 'Recommendations are withheld until at least 7 days of Prometheus history is available.'
  for (const id of ['PROM006', 'PROM007']) Object.assign(report.checks[id]!.Items as object, { Message })
  return report
}

/** The same report of a scan some hours later, with another critical finding if asked for. */
function later(report: Report, hours: number, addsCritical = false): Report {
  const copy = structuredClone(report)
  const at = Date.parse(report.metadata.generatedAt) + hours * 3_600_000
  copy.metadata.generatedAt = `${new Date(at).toISOString().slice(0, 19)}Z`
  if (!addsCritical) return copy
  const check = Object.values(copy.checks).find(
    ({ Severity, Items }) => /^critical$/i.test(Severity ?? '') && Array.isArray(Items) && Items.length > 0,
  )!
  const [first] = check.Items as Record<string, unknown>[]
  check.Items = [...(check.Items as unknown[]), { ...first, Namespace: 'added', Resource: 'service/added' }]
  check.Total = check.Total! + 1
  return copy
}

/** The words that the shell of a pipeline gives to `relt`. */
function wordsOf(line: string, folder: string): string[] {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'relt'), '#!/bin/sh\nprintf "%s\\n" "$@" > words\n', { mode: 0o755 })
  execFileSync('bash', ['--noprofile', '--norc', '-c', line], {
    cwd: folder,
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      ...{ RELT_REPORT: 'report.json', RELT_POLICY: 'relt.yaml', RELT_COMMENT: 'false' },
    },
  })
  const files = /^(?:relt\.yaml|report\.(?:json|html)|reports\/.*|[\w-]+\.(?:sarif|xml|md)|gl-.*\.json)$/
  return readFileSync(join(folder, 'words'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((word) => (files.test(word) ? join(folder, word) : word))
}

describe.each(Object.entries(generations))('with reports of KubeBuddy, %s', (_, report) => {
  test.each(lines)('%s: %s passes what is unchanged, and fails a new critical finding', async (_, line) => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'reports'))
    copyFileSync(join(root, 'templates/ci/relt.yaml'), join(folder, 'relt.yaml'))
    const files = ['report.json', 'reports/kubebuddy-report-1.json'].map((file) => join(folder, file))
    for (const file of files) writeFileSync(file, '{}')
    const argv = wordsOf(line, folder)
    const run = async (scanned: Report) => {
      for (const file of files) writeFileSync(file, JSON.stringify(scanned))
      const { code, stderr } = await runCli(argv, { home: folder })
      return `${code} ${code === 0 || code === 5 ? '' : stderr}`.trim()
    }
    expect(await run(report)).toBe('0')
    expect(await run(later(report, 1))).toBe('0')
    for (const hours of [2, 3, 4, 5]) expect(await run(later(report, hours, true))).toBe('5')
    const isTakenIn = await runCli(['gate', 'baseline', '--reason', 'Accepted'], { home: folder })
    expect(isTakenIn.code).toBe(0)
    expect(await run(later(report, 6, true))).toBe('0')
  })
})
