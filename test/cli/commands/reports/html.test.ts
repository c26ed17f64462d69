import { chmodSync, existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import htmlVerb from '../../../../src/cli/commands/reports/html.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { distinctReport } from '../../../helpers/distinct-report.ts'
import { folderOfFile, parse } from '../../../helpers/output.ts'
import { makeSmallStore, smallReports, uploadAll } from '../../../helpers/small-store.ts'

const home = folderOfFile()
let ids: string[]
beforeAll(async () => {
  ids = await makeSmallStore(home)
})

test.each([
  [[], [undefined, {}]],
  [
    ['crun_x', '--compare', '--trends', '90', '--freshness', '--out', 'a.html', '--assets'],
    ['crun_x', { compare: true, trends: 90, freshness: true, out: 'a.html', assets: true }],
  ],
  [
    ['--redact', 'ids, names'],
    [undefined, { redact: ['names', 'ids'] }],
  ],
])('html %j', async (argv, expected) => {
  expect(await parse(htmlVerb, argv)).toEqual(expected)
})

test('refuses to leave out what it does not know', async () => {
  const { code, stderr } = await runCli(['reports', 'html', '--redact', 'names,all'], { home })
  expect(code).toBe(2)
  expect(stderr).toContain('Use some of names, namespaces, ids, with commas.')
})

test.each([
  [['--out', '-', '--assets'], '--assets writes two files'],
  [['--out', 'none/report.css', '--assets'], '--assets writes the styles to report.css'],
])('refuses %j', async (options, why) => {
  const { code, stdout, stderr } = await runCli(['reports', 'html', ...options], { home })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(why)
})

test.skipIf(process.platform === 'win32')('follows a link and keeps the mode of the file behind it', async () => {
  const folder = temporaryFolder()
  const [file, link] = [join(folder, 'page.html'), join(folder, 'latest.html')]
  writeFileSync(file, '')
  chmodSync(file, 0o600)
  symlinkSync('page.html', link)
  expect((await runCli(['reports', 'html', '--out', link], { home })).code).toBe(0)
  expect([lstatSync(link).isSymbolicLink(), statSync(file).mode & 0o777]).toEqual([true, 0o600])
  expect(readFileSync(file, 'utf8')).toMatch(/<\/html>\n$/)
})

test('writes every part without an option, and says what is missing', async () => {
  const file = join(temporaryFolder(), 'report.html')
  const { code, stdout } = await runCli(['reports', 'html', '--out', file, '--json'], { home })
  const page = readFileSync(file, 'utf8')
  expect({ code, ...JSON.parse(stdout) }).toEqual({
    ...{ code: 0, run_id: ids[2], file, bytes: Buffer.byteLength(page), stylesheet: null, findings_file: null },
  })
  const parts = [
    'Not judged',
    '+7.5',
    'Regressed (2)',
    'Resolved (1)',
    'runs as root',
    'v1.34.2',
    'aria-label="Score from 61 to 80',
  ]
  for (const part of parts) expect(page).toContain(part)
})

test('leaves out the parts that are not named', async () => {
  const { stdout } = await runCli(['reports', 'html', ids[2]!, '--compare', '--out', '-'], { home })
  expect(stdout).toMatch(/^<!doctype html>/)
  expect(stdout).toContain('Regressed (2)')
  expect(stdout).toContain('It was left out of this page. Add --freshness, or name no part to have all.')
  expect(stdout).toContain('It was left out of this page. Add --trends DAYS, or name no part to have all.')
})

test('shows the recorded verdict', async () => {
  const own = temporaryFolder()
  await uploadAll(own, smallReports)
  await runCli(['gate', 'check', '--fail-on', 'score<90'], { home: own })
  const { stdout } = await runCli(['reports', 'html', '--out', '-'], { home: own })
  expect(stdout).toContain(
    '<div class="verdict failed"><strong>Gate failed</strong>score&lt;90: <bdi>The score is 80; the minimum is 90</bdi>.',
  )
})

test('says which rules passed undecided, also with names left out', async () => {
  const own = temporaryFolder()
  await uploadAll(own, [distinctReport(1, 3)])
  const policy = join(own, 'policy.yaml')
  writeFileSync(policy, 'gate: {undecided: [{part: inventory, until: 2026-12-31}]}\n')
  const flags = ['--fail-on', 'affected>=high', '--policy', policy]
  expect((await runCli(['gate', 'check', ...flags], { home: own })).code).toBe(0)
  for (const redacted of [[], ['--redact', 'names,namespaces,ids']]) {
    const { stdout } = await runCli(['reports', 'html', '--out', '-', ...redacted], { home: own })
    expect(stdout).toMatch(
      /<div class="verdict undecided"><strong>Gate passed<.*The policy let 1 rule pass that it cannot decide\./,
    )
  }
})

test('--assets writes the styles beside the page', async () => {
  const folder = temporaryFolder()
  const { code } = await runCli(['reports', 'html', '--assets', '--out', join(folder, 'index.html')], { home })
  expect(code).toBe(0)
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('<link rel="stylesheet" href="report.css">')
  expect(readFileSync(join(folder, 'report.css'), 'utf8')).toContain('@media print')
})

test('--redact leaves names out of the page and of its name', async () => {
  const { stdout } = await runCli(['reports', 'html', '--redact', 'names,namespaces,ids', '--out', '-'], { home })
  expect(stdout.match(/.{40}(?:shop|grafana|monitoring|argocd|nginx|crun_|kube-system).{20}/g)).toBe(null)
  expect(stdout).toContain('<span class="word">namespace-')
})

test('lists a part of many findings, and all in a file beside the page', async () => {
  const own = temporaryFolder()
  await uploadAll(own, [distinctReport(1, 5100)])
  const file = join(own, 'report.html')
  const { stdout } = await runCli(['reports', 'html', '--out', file], { home: own })
  const findings = join(own, 'report-findings.csv')
  expect(stdout).toMatch(`${file}\n${findings}\nThe page lists 4,998 findings; ${findings} has all.`)
  const page = readFileSync(file, 'utf8')
  expect(page.match(/<tr><td><span class="word">team-/g)).toHaveLength(4998)
  expect(page).toContain('4,998 of 5,100 different findings are listed.</span> <a href="report-findings.csv">')
  expect(readFileSync(findings, 'utf8').trim().split('\n')).toHaveLength(5101)
})

test('relt ci writes the page with the verdict, of a stored report and of a queued one', async () => {
  const own = temporaryFolder()
  const file = join(own, 'ci.html')
  const argv = ['ci', '-', '--fail-on', 'score<90', '--html', file]
  const stdin = JSON.stringify(smallReports[0])
  expect((await runCli(argv, { home: own, stdin })).code).toBe(5)
  expect(readFileSync(file, 'utf8')).toContain('Gate failed')
  const queued = join(own, 'queued.html')
  const env = { RELT_SERVER: 'http://127.0.0.1:9', RELT_USERNAME: 'ada', RELT_PASSWORD: 'a' }
  const away = await runCli([...argv.slice(0, -1), queued, '--offline-ok'], { home: own, stdin, env })
  expect(away.code).toBe(5)
  expect(existsSync(queued)).toBe(true)
  const page = readFileSync(queued, 'utf8')
  expect(page).toContain('Gate failed')
  expect(page).toContain('The report waits for its server, which has not answered yet.')
  expect(page).toContain('runs as root')
})
