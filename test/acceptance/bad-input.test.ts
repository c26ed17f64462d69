import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { gzipBomb } from '../helpers/gzip-bomb.ts'
import { folderOfFile } from '../helpers/output.ts'
import { smallReports } from '../helpers/small-store.ts'

const home = folderOfFile()
const files = folderOfFile()
const good = JSON.stringify(smallReports[0])
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
const withMetadata = (metadata: string) => `{"metadata":{"clusterName":"x",${metadata}},"checks":{}}`
const megabytes = (count: number, letter: string) => gzipBomb(count * 2 ** 20, letter)
const notAReport =
  'FILE cannot be stored as a report.\n' +
  '  report: is of no known shape; known are the JSON reports of ' +
  'kubebuddy, trivy, kubescape, popeye, polaris, kube-bench, sarif, policy-report, inventory\n' +
  'hint: To store the file as it is, add --as-is.'
const badScore = 'FILE cannot be stored as a report.\n  report.metadata.score: must be a number from 0 to 100'

/** What the file holds (nothing: there is none), and what is said of it. */
const cases: [name: string, content: string | Buffer | undefined, message: string][] = [
  ['text', 'hello', 'FILE is plain text, not JSON.\nhint: Create the report as JSON: kubebuddy run --json-report'],
  ['JSON that breaks off', good.slice(0, 300), 'FILE: The report is not valid JSON: it ends too early.'],
  [
    'text after the report',
    `${good} x`,
    `FILE: The report is not valid JSON: unexpected text at byte ${good.length + 1}.`,
  ],
  [
    'no UTF-8',
    Buffer.from(withMetadata('"a":"\xe9"'), 'latin1'),
    'FILE: The report is not valid JSON: it is not UTF-8 text (after byte 35).',
  ],
  ['nothing', '', 'FILE is empty.'],
  ['spaces', ' \n ', 'FILE is empty.'],
  ['JSON without a report', '{"a":1}', notAReport],
  ['a list', '[1]', notAReport],
  ['a null', 'null', notAReport],
  ['a report that is text', '{"report":"abc"}', notAReport],
  ['a report that is a number', '{"report":5}', notAReport],
  ['a report that is a list', '{"report":[]}', notAReport],
  ['a report that is something else', '{"report":{"a":1}}', notAReport],
  [
    'a report that names no cluster',
    '{"metadata":{"clusterName":" "},"checks":{"A":{"Total":0}}}',
    'FILE cannot be stored as a report.\n  cluster.name: is needed: the report names no cluster\nhint: Add --cluster NAME.',
  ],
  ['100,000 levels', deep, 'FILE is nested more than 64 levels deep.'],
  ['100,000 levels in a report', withMetadata(`"a":${deep}`), 'FILE: The report is nested more than 64 levels deep.'],
  ['100,000 levels in a body', `{"report":${withMetadata(`"a":${deep}`)}}`, 'FILE is nested more than 64 levels deep.'],
  ['a key __proto__', withMetadata('"__proto__":{"a":1}'), 'FILE: The report has a key named "__proto__".'],
  ['a check constructor', '{"checks":{"constructor":{"Total":1}}}', 'FILE: The report has a key named "constructor".'],
  ['a key prototype in a body', '{"prototype":1,"report":{}}', 'FILE has a key named "prototype".'],
  ['200 MB of spaces in gzip', megabytes(200, ' '), 'FILE, unpacked, is larger than 100 MB.'],
  ['200 MB of brackets in gzip', megabytes(200, '['), 'FILE, unpacked, is larger than 100 MB.'],
  ['90 MB of brackets in gzip', megabytes(90, '['), 'FILE is nested more than 64 levels deep.'],
  ['half a gzip', gzipSync(good).subarray(0, 200), 'FILE is a truncated or invalid gzip file.'],
  ['a score that is text', withMetadata('"score":"abc"'), badScore],
  ['a score beyond all numbers', withMetadata('"score":1e999'), badScore],
  ['a score below zero', withMetadata('"score":-1'), badScore],
  [
    'a check that is a number',
    '{"metadata":{"clusterName":"x"},"checks":{"A":5}}',
    'FILE cannot be stored as a report.\n  report.checks.A: must be an object or null',
  ],
  [
    'checks in a list that is empty',
    '{"metadata":{"clusterName":"x"},"checks":[]}',
    'FILE cannot be stored as a report.\n  report: has no checks and no results. Check that the scan finished\nhint: To store the file as it is, add --as-is.',
  ],
  ['no file', undefined, 'FILE cannot be read: no such file.'],
]

const file = (name: string) => join(files, `${name.replaceAll(' ', '-')}.json`)
const list = async () => JSON.parse((await runCli(['reports', 'list', '--json'], { home })).stdout)
const upload = (...argv: string[]) => runCli(['reports', 'upload', ...argv], { home })
let stored: unknown

beforeAll(async () => {
  for (const [name, content] of cases) if (content !== undefined) writeFileSync(file(name), content)
  await runCli(['reports', 'upload', '-'], { home, stdin: good })
  stored = await list()
  expect(stored).toMatchObject({ total: 1 })
})

describe('an upload of', () => {
  test.each(cases)('%s is refused', async (name, _, message) => {
    const { code, stdout, stderr } = await upload(file(name))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(file(name))
    expect(stderr.replaceAll(file(name), 'FILE')).toBe(`error: ${message}\n`)
    expect(await list()).toEqual(stored)
  })

  test('a folder is refused', async () => {
    expect(await upload(files)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${files} cannot be read: it is a folder.\n`,
    })
  })

  test('standard input is called by its name', async () => {
    const { stderr } = await runCli(['reports', 'upload', '-'], { home, stdin: '{"a":1}' })
    expect(stderr).toBe(`error: ${notAReport.replace('FILE', 'Standard input')}\n`)
    const broken = await runCli(['reports', 'upload', '-'], { home, stdin: good.slice(0, 300) })
    expect(broken.stderr).toBe('error: Standard input: The report is not valid JSON: it ends too early.\n')
    const nothing = await runCli(['reports', 'upload', '-'], { home })
    expect(nothing).toEqual({ code: 2, stdout: '', stderr: 'error: Standard input is empty.\n' })
  })
})

test.each([
  ['--cluster', 'a\u001b[31mb', 'cluster.name', 'must not contain control characters'],
  ['--cluster', 'x'.repeat(254), 'cluster.name', 'must have at most 253 characters'],
  ['--environment', 'a\nb', 'environment', 'must not contain control characters'],
  ['--finished-at', 'yesterday', 'run.finished_at', 'must be YYYY-MM-DD HH:MM:SS or ISO 8601'],
  ['--started-at', '2026-02-30', 'run.started_at', 'must be YYYY-MM-DD HH:MM:SS or ISO 8601'],
])('%s is refused: %#', async (option, value, parameter, reason) => {
  const { code, stdout, stderr } = await runCli(['reports', 'upload', '-', option, value], { home, stdin: good })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  const what =
    option === '--cluster' ? 'Standard input cannot be stored as a report.' : `Invalid parameter(s): ${parameter}`
  expect(stderr).toBe(`error: ${what}\n  ${parameter}: ${reason}\n`)
  expect(await list()).toEqual(stored)
})

test('a refused upload into a new store stores nothing', async () => {
  const home = join(temporaryFolder(), 'home')
  mkdirSync(home)
  await runCli(['reports', 'upload', '-'], { home, stdin: withMetadata('"score":"abc"') })
  const { stdout } = await runCli(['reports', 'list', '--json'], { home })
  expect(JSON.parse(stdout).total).toBe(0)
})

describe('an upload takes', () => {
  const body = JSON.stringify({
    cluster: { name: 'named-by-body', provider: '', region: '' },
    environment: 'dev',
    source: 'native',
    run: { started_at: '', finished_at: '' },
    report: smallReports[0],
  })

  test.each<[string, string | Buffer, string]>([
    ['a report', good, 'shop-prod'],
    ['a report with a byte-order mark', `\ufeff${good}`, 'shop-prod'],
    ['a report in gzip', gzipSync(good), 'shop-prod'],
    ['a report with a byte-order mark in gzip', gzipSync(`\ufeff${good}`), 'shop-prod'],
    ['an upload body', body, 'named-by-body'],
    ['an upload body in gzip', gzipSync(body), 'named-by-body'],
    [
      'a body whose cluster has no name',
      JSON.stringify({ cluster: { name: '' }, report: smallReports[0] }),
      'shop-prod',
    ],
  ])('%s, as a file and on standard input', async (_, content, cluster) => {
    const home = temporaryFolder()
    const path = join(home, 'report')
    writeFileSync(path, content)
    const fromFile = await runCli(['reports', 'upload', path, '--json'], { home })
    expect(fromFile).toMatchObject({ code: 0, stderr: '' })
    const { run_id } = JSON.parse(fromFile.stdout)
    const fromStdin = await runCli(['reports', 'upload', '-', '--json'], { home, stdin: content })
    expect(JSON.parse(fromStdin.stdout)).toMatchObject({ run_id, duplicate: true })
    const run = JSON.parse((await runCli(['reports', 'show', run_id, '--report', '--json'], { home })).stdout)
    expect(run).toMatchObject({ cluster_name: cluster, findings: { total: 6 }, finished_at: '2026-08-12 06:00:00' })
    expect(run.report).toEqual(smallReports[0])
  })
})
