import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { folderOfFile } from '../helpers/output.ts'
import { cleanReports, emptyReports, foreignFiles } from '../reports/formats/foreign-files.ts'

const home = folderOfFile()
const stored = async (home: string): Promise<number> =>
  JSON.parse((await runCli(['reports', 'list', '--json'], { home })).stdout).total
const upload = (home: string, stdin: string | Buffer, ...more: string[]) =>
  runCli(['reports', 'upload', '-', '--cluster', 'shop', ...more], { home, stdin })

describe('a file that is no scan report', () => {
  test.each(foreignFiles)('%s is refused by its name', async (_, content, said) => {
    const { code, stdout, stderr } = await upload(home, content)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(said)
    expect(await stored(home)).toBe(0)
  })

  test('no JSON at all is refused with the option that writes JSON', async () => {
    for (const content of ['<html></html>', 'a,b,c\n1,2,3\n', 'Score 80', Buffer.from('\ufeff{}', 'utf16le')]) {
      expect((await upload(home, content)).stderr).toContain('kubebuddy run --json-report')
    }
  })

  test('is refused as a file, too', async () => {
    const file = join(temporaryFolder(), 'sbom.json')
    writeFileSync(file, foreignFiles[0]![1])
    expect(await runCli(['reports', 'upload', file, '--cluster', 'shop'], { home })).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${file} cannot be stored as a report.\n  report: is a CycloneDX SBOM, not a scan report. Upload the output of \`trivy sbom --format json FILE\`\nhint: To store the file as it is, add --as-is.\n`,
    })
  })

  test('is stored with --as-is and the name of a cluster, and no gate is green by it', async () => {
    const home = temporaryFolder()
    const [, stdin] = foreignFiles[0]!
    const asIs = (...more: string[]) => runCli(['reports', 'upload', '-', '--as-is', ...more], { home, stdin })
    expect(await asIs()).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --cluster NAME.') })
    for (const rule of ['findings>=critical', 'compromised', 'score<1', 'new>=low', 'affected>=low']) {
      const { code, stdout } = await asIs('--cluster', 'shop', '--gate', '--fail-on', rule)
      expect({ rule, code }).toEqual({ rule, code: 6 })
      expect(stdout).toContain('Nothing in the report was understood')
    }
    for (const command of ['status', 'reports show', 'reports list', 'reports freshness']) {
      expect(await runCli(command.split(' '), { home })).toMatchObject({ code: 0 })
    }
    expect((await runCli(['reports', 'show'], { home })).stdout).toContain(' by an unknown scanner\n')
  })
})

describe('an empty report', () => {
  test.each(emptyReports)('%s is stored only with --as-is', async (_, report) => {
    const home = temporaryFolder()
    const refused = await upload(home, report)
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('--as-is')
    expect(await stored(home)).toBe(0)
    expect((await upload(home, report, '--as-is')).code).toBe(0)
    expect(await stored(home)).toBe(1)
  })

  test('is refused by relt ci as well', async () => {
    const [, report] = emptyReports[0]!
    const ci = (...more: string[]) => runCli(['ci', '-', '--fail-on', 'score<1', ...more], { home, stdin: report })
    expect((await ci()).code).toBe(2)
    expect(await stored(home)).toBe(0)
  })
})

test.each(cleanReports)('a clean report of %s is stored', async (_, report) => {
  const { code, stderr } = await upload(temporaryFolder(), report)
  expect({ code, stderr: stderr.replace(/^✓ .*\n/, '') }).toEqual({ code: 0, stderr: '' })
})

test('says what of a report it leaves out, on standard error and in the answer', async () => {
  const report = JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: [{ kind: 'Pod' }, { kind: 'VulnerabilityReport', report: { vulnerabilities: [] } }],
  })
  const warning = 'Left out of the list: 1 Pod. relt reads reports of findings only.'
  const { code, stdout, stderr } = await upload(temporaryFolder(), report, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: `warning: ${warning}\n` })
  expect(JSON.parse(stdout).warnings).toEqual([warning])
})

test('a report of the operator is not taken for an upload body', async () => {
  const alone = JSON.stringify({ report: { checks: [] }, kind: 'ConfigAuditReport', metadata: { name: 'a' } })
  const { code, stdout } = await upload(temporaryFolder(), alone, '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).not.toHaveProperty('warnings')
})
