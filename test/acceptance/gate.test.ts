import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { ReltError } from '../../src/errors.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { makeSmallCatalog, smallReports } from '../helpers/small-store.ts'

const [, second, third] = smallReports

/** A store with one run, and a file with a later report of which one finding is new and two are regressed. */
async function setUp() {
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  const file = (name: string, text: string) => {
    const path = join(home, name)
    writeFileSync(path, text)
    return path
  }
  const report = file('third.json', JSON.stringify(third))
  const first = await runCli(['reports', 'upload', '-', '--json'], { home, stdin: JSON.stringify(second) })
  expect(first.code).toBe(0)
  return { home, file, report }
}

const policyWith = (exceptions: string) => `gate:\n  fail_on: [new>=high, score<80]\n  exceptions:${exceptions}\n`

describe('from an upload to a verdict', () => {
  test('new findings fail it, an exception lets them pass, until it expires', async () => {
    const { home, file, report } = await setUp()
    const upload = (policy: string) => runCli(['reports', 'upload', report, '--gate', '--policy', policy], { home })

    const failed = await upload(file('a.yaml', policyWith(' []')))
    expect(failed.code).toBe(5)
    expect(failed.stdout).toContain(
      '✗ new>=high  2 new findings at or above high; 0 allowed (since 2026-08-24 06:00, the first run)\n' +
        '    critical SEC014 shop pod/cart-5d9c7b8f66-k2j4x: Registry of container cart is not on the list\n' +
        '    critical NET002 monitoring service/grafana: Reachable from outside through a node port\n' +
        '✓ 1 rule passed: score<80\n',
    )
    expect(failed.stderr).toBe('✓ Stored\nerror: The gate failed: new>=high\n')

    const until = (day: string) => `
    - {check: SEC014, namespace: shop, resource: pod/cart-*, reason: moves soon, expires: ${day}}
    - {check: NET002, reason: behind a firewall, expires: 2026-12-31}`
    const passed = await upload(file('b.yaml', policyWith(until('2026-09-01'))))
    expect(passed).toMatchObject({ code: 0, stderr: '✓ Already stored\n' })
    expect(passed.stdout).toContain(
      '✓ new>=high  0 new findings at or above high; 0 allowed (2 excepted by the policy file) (since 2026-08-24 06:00',
    )
    expect(passed.stdout).toContain('✓ score<80  The score is 80; the minimum is 80\n')

    const expired = await upload(file('c.yaml', policyWith(until('2026-08-31'))))
    expect(expired.code).toBe(5)
    expect(expired.stdout).toContain('critical SEC014 shop pod/cart')
    expect(expired.stdout).toContain('Exceptions: 1 used, 0 unused, 1 expired')
  })

  test('the verdict is recorded with its run, until rules are only tried out', async () => {
    const { home, file, report } = await setUp()
    const run = (...argv: string[]) => runCli(argv, { home })
    await run('reports', 'upload', report, '--gate', '--policy', file('relt.yaml', policyWith(' []')))
    const gateFor = async () => JSON.parse((await run('reports', 'show', '--json')).stdout).gate
    expect(await gateFor()).toMatchObject({
      verdict: 'failed',
      policies: [{ policy: { name: 'relt.yaml' }, by: 'local' }],
    })

    // Fewer rules hide no failure.
    expect((await run('gate', 'check', '--fail-on', 'score<1')).code).toBe(0)
    expect(await gateFor()).toMatchObject({ verdict: 'failed', policies: [{}, { policy: { name: 'score<1' } }] })
    await run('gate', 'check', '--fail-on', 'score<2', '--no-record')
    expect((await gateFor()).policies).toHaveLength(2)

    const shown = (await run('reports', 'show')).stdout
    expect(shown).toContain('  Gate        failed (2026-09-01 12:00:00)\n')
    expect(shown).toMatch(
      /✗ relt\.yaml failed, recorded by local at 2026-09-01 12:00:00, policy [0-9a-f]{12}\n {4}✗ new>=high {2}2 new/,
    )
    expect(shown).toContain('    1 of 2 rules passed\n✓ score<1 passed')
    expect((await run('reports', 'list')).stdout).toMatch(/GATE.*\n.*failed/)
    expect((await run('status', '--json')).stdout).toContain('"attention":["gate_failed"')
  })

  test('the verdict of a policy counts again after it was mended', async () => {
    const { home, file, report } = await setUp()
    const check = () => runCli(['gate', 'check', '--policy', join(home, 'relt.yaml')], { home })
    file('relt.yaml', 'gate:\n  fail_on: [score<90]\n')
    await runCli(['reports', 'upload', report], { home })
    expect((await check()).code).toBe(5)
    file('relt.yaml', 'gate:\n  fail_on: [score<80]\n')
    expect((await check()).code).toBe(0)
    const { gate } = JSON.parse((await runCli(['reports', 'show', '--json'], { home })).stdout)
    expect(gate).toMatchObject({ verdict: 'passed', policies: [{ verdict: 'passed' }] })
  })

  test.each(['forbidden', 'not_found', 'unreachable'] as const)(
    'a verdict that cannot be recorded stays the verdict: %s',
    async (code) => {
      const { home, report } = await setUp()
      const between = (client: Client): Client => ({
        ...client,
        call: (name, input) =>
          name === 'recordGate' ? Promise.reject(new ReltError(code, 'Refused.')) : client.call(name, input),
      })
      await runCli(['reports', 'upload', report], { home })
      for (const [rule, exit] of [
        ['score<1', 0],
        ['score<99', 5],
      ] as const) {
        const { code, stderr } = await runCli(['gate', 'check', '--fail-on', rule], { home, between })
        expect(code).toBe(exit)
        expect(stderr).toContain('warning: The verdict was not recorded: ')
      }
    },
  )

  test('a policy that cannot be used is 6, says where, and stores nothing', async () => {
    const { home, file, report } = await setUp()
    const policy = file('bad.yaml', 'gate:\n  fail_on:\n    - new>high\n')
    for (const argv of [
      ['reports', 'upload', report, '--gate'],
      ['ci', report],
      ['gate', 'check'],
    ]) {
      const { code, stdout, stderr } = await runCli([...argv, '--policy', policy], { home })
      expect({ code, stdout }).toEqual({ code: 6, stdout: '' })
      expect(stderr).toContain(`${policy}:3: "new>high" is not a rule`)
    }
    const { stdout } = await runCli(['reports', 'list', '--json'], { home })
    expect(JSON.parse(stdout).total).toBe(1)
  })

  test.each([
    [['--policy', 'missing.yaml'], 'The policy missing.yaml cannot be read: no such file.'],
    [[], 'The gate has no rules.'],
    [['--fail-on', 'new'], '--fail-on: "new" is not a rule'],
  ])('%j is 6', async (argv, message) => {
    const { code, stderr } = await runCli(['ci', '-', ...argv], { home: temporaryFolder(), stdin: '{}' })
    expect(code).toBe(6)
    expect(stderr).toContain(message)
  })

  test('a policy of the current folder that leads nowhere is 6', async () => {
    const { home, report } = await setUp()
    const [here, folder] = [process.cwd(), temporaryFolder()]
    symlinkSync(join(home, 'missing.yaml'), join(folder, 'relt.yaml'))
    onTestFinished(() => process.chdir(here))
    process.chdir(folder)
    for (const argv of [
      ['gate', 'check'],
      ['gate', 'vex'],
      ['ci', report],
    ]) {
      const { code, stderr } = await runCli(argv[1] === 'vex' ? argv : [...argv, '--fail-on', 'score<1'], { home })
      expect({ code, stderr }).toEqual({
        code: 6,
        stderr: expect.stringContaining('The policy relt.yaml cannot be read'),
      })
    }
  })
})

describe('relt gate check', () => {
  test('decides about any run, by all kinds of rules', async () => {
    const { home, report } = await setUp()
    await runCli(['reports', 'upload', report], { home })
    const rules = ['findings>=critical>2', 'major-behind>0', 'security-behind>=low', 'kubernetes-eol', 'score-drop>1']
    const argv = ['gate', 'check', ...rules.flatMap((rule) => ['--fail-on', rule]), '--json']
    const { code, stdout } = await runCli(argv, { home })
    expect(code).toBe(5)
    const { verdict, rules: judged } = JSON.parse(stdout)
    expect(verdict).toBe('failed')
    expect(judged.map((each: Record<string, unknown>) => [each.rule, each.verdict, each.reason])).toEqual([
      ['findings>=critical>2', 'failed', '3 critical findings; 2 allowed'],
      ['major-behind>0', 'failed', '2 artifacts a major version behind; 0 allowed'],
      ['security-behind>=low', 'undecided', 'Security facts are known for none of 4 artifacts'],
      ['kubernetes-eol', 'passed', 'Kubernetes 1.34 has upstream support until 2026-10-27'],
      ['score-drop>1', 'passed', 'The score went from 72.5 to 80; it may drop by 1'],
    ])
  })

  test('says what it covers, and lets the unknown pass only by a line of the policy', async () => {
    const { home, file, report } = await setUp()
    await runCli(['reports', 'upload', report], { home })
    const check = (...more: string[]) =>
      runCli(['gate', 'check', '--fail-on', 'security-behind>=low', ...more], { home })
    const undecided = await check()
    expect(undecided.code).toBe(6)
    expect(undecided.stdout).toContain('? security-behind>=low  Security facts are known for none of 4 artifacts\n')
    expect(undecided.stdout).toContain('\n  Coverage: 3 of 4 artifacts known; security facts for 0 of 2 projects\n')
    const [, line] = /under gate\.undecided: (- .*)/.exec(undecided.stdout)!
    const policy = file('relt.yaml', `gate:\n  undecided:\n    ${line}\n`)
    const allowed = await check('--policy', policy)
    expect(allowed.code).toBe(0)
    expect(allowed.stdout).toContain('The policy let 1 rule pass that it cannot decide.\n')
    const { rules } = JSON.parse((await check('--policy', policy, '--json')).stdout)
    expect(rules[0].allowed_unknown).toContain(`Not known, and accepted by ${policy}:3: `)
    expect(
      (await check('--policy', file('other.yaml', `gate:\n  undecided:\n    ${line!.replace('shop-prod', 'other')}\n`)))
        .code,
    ).toBe(6)
    const { stdout } = await check('--json')
    expect(JSON.parse(stdout).coverage).toMatchObject({ artifacts: 4, known: 3, security_known: 0, projects: 2 })
  })

  test('wants a run', async () => {
    const { code } = await runCli(['gate', 'check', '--fail-on', 'score<80'], { home: temporaryFolder() })
    expect(code).toBe(3)
  })
})

test('a gate names exceptions and lines of undecided that are unused or expired', async () => {
  const { home, file, report } = await setUp()
  await runCli(['reports', 'upload', report], { home })
  const policy = file(
    'relt.yaml',
    `${policyWith(`
    - {check: NET002, reason: behind a firewall, expires: 2026-12-31}
    - {check: XYZ001, reason: not needed, expires: 2026-12-31}
    - {check: SEC014, reason: too long ago, expires: 2026-01-01}`)}
  undecided:
    - {part: PROM*, until: 2026-12-31}
    - {part: AKS*, reason: no role yet, until: 2026-01-31}
`,
  )
  const { stdout } = await runCli(['gate', 'check', '--policy', policy], { home })
  expect(stdout.replaceAll(policy, 'relt.yaml')).toContain(
    '  Exceptions: 1 used, 1 unused, 1 expired: relt.yaml:5, relt.yaml:6\n  Lines of undecided: 0 used, 1 unused, 1 expired: relt.yaml:9, relt.yaml:10\n',
  )
  const { stdout: json } = await runCli(['gate', 'check', '--policy', policy, '--json'], { home })
  expect(JSON.parse(json)).toMatchObject({
    exceptions: {
      used: [{ check: 'NET002', matched: 1, source: `${policy}:4` }],
      unused: [{ check: 'XYZ001', matched: 0 }],
      expired: [{ check: 'SEC014', matched: 1 }],
    },
    undecided_lines: { used: [], unused: [{ part: ['PROM*'], matched: 0 }], expired: [{ part: ['AKS*'] }] },
  })
})

describe('a scan in which a check did not run', () => {
  const skipped = { ID: 'PROM001', Name: 'High CPU', Severity: 'Warning', Total: 0 }
  const Items = { Status: 'Skipped', Message: 'Unable to check due to: forbidden' }
  const suppressed = { Namespace: 'shop', Resource: 'pod/old', Message: 'runs as root', Reason: 'goes in May' }
  const report = {
    ...third,
    checks: {
      ...third!.checks,
      PROM001: { ...skipped, Items },
      SEC099: { ...skipped, ID: 'SEC099', Severity: 'Critical', Items: [], SuppressedFindings: [suppressed] },
    },
  }

  test('is undecided where it can turn the verdict, until the policy accepts that, and the pipeline shows it either way', async () => {
    const { home, file } = await setUp()
    const ci = (gate: string, ...more: string[]) => {
      const policy = file(
        'relt.yaml',
        `gate:\n  fail_on: [score<10, findings>=critical>3, regressed>=critical>9]\n${gate}`,
      )
      return runCli(['ci', '-', '--policy', policy, '--json', ...more], { home, stdin: JSON.stringify(report) })
    }
    const out = (name: string) => join(home, name)
    const files = ['--summary', out('s.md'), '--junit', out('j.xml'), '--sarif', out('f.sarif')]
    const undecided = await ci('', ...files)
    expect(undecided.code).toBe(6)
    // A check of medium severity finds nothing critical, and no earlier run ran it.
    expect(JSON.parse(undecided.stdout).rules.map((rule: { reason: string }) => rule.reason)).toEqual([
      'Not read: 1 forbidden (PROM001)',
      '3 critical findings; allowed: 3 of 3',
      '0 regressed critical findings; 9 allowed',
    ])
    const text = (name: string) => readFileSync(out(name), 'utf8')
    expect(text('s.md')).toContain('5 findings and 1 suppressed')
    expect(text('s.md')).toContain('\n⚠️ 1 check did not run:\n\n- <code>PROM001</code> High CPU: ')
    expect(text('j.xml')).toContain('<testsuite name="relt checks" tests="1" failures="0" errors="0" skipped="1">')
    const [{ invocations, results }] = JSON.parse(text('f.sarif')).runs
    expect(invocations[0].toolExecutionNotifications).toMatchObject([{ associatedRule: { id: 'PROM001' } }])
    expect(results.filter(({ ruleId }: { ruleId: string }) => ruleId === 'SEC099')).toMatchObject([
      { suppressions: [{ kind: 'inSource', justification: 'goes in May' }] },
    ])
    const accepted = await ci('  undecided: [{part: PROM*, until: 2026-12-31}]\n')
    expect(accepted.code).toBe(0)
    expect(JSON.parse(accepted.stdout).undecided_lines.used).toMatchObject([{ part: ['PROM*'], matched: 1 }])
    expect((await ci('  undecided: [{part: PROM*, until: 2026-01-01}]\n')).code).toBe(6)
  })
})

describe('relt ci', () => {
  test('keeps where the report comes from, and writes what the pipeline shows', async () => {
    const { home, report } = await setUp()
    const out = (name: string) => join(home, name)
    const files = ['--summary', out('s.md'), '--junit', out('j.xml'), '--sarif', out('f.sarif')]
    const argv = ['ci', report, '--fail-on', 'new>=high', ...files, '--code-quality', out('q.json'), '--json']
    writeFileSync(out('step.md'), 'before\n')
    writeFileSync(out('event.json'), JSON.stringify({ pull_request: { head: { sha: '3'.repeat(40) } } }))
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_REPOSITORY: 'shop/web',
      GITHUB_SHA: '1'.repeat(40),
      GITHUB_HEAD_REF: 'fix',
      GITHUB_EVENT_PATH: out('event.json'),
      GITHUB_STEP_SUMMARY: out('step.md'),
    }
    const { code, stdout, stderr } = await runCli(argv, { home, env })
    expect(code).toBe(5)
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'failed',
      ci: { provider: 'github-actions', repository: 'shop/web', commit: '3'.repeat(40), branch: 'fix' },
      rules: [{ rule: 'new>=high', evidence_total: 2 }],
    })
    expect(stderr).toMatch(/^::error title=Gate%3A new>=high::2 new findings .*%0ANET002 monitoring service\/grafana/)
    const text = (name: string) => readFileSync(out(name), 'utf8')
    expect(text('s.md')).toMatch(/^## Gate ❌ failed\n/)
    expect(text('step.md')).toBe(`before\n${text('s.md')}`)
    expect(text('j.xml')).toContain('<failure type="gate_failed"')
    const { results } = JSON.parse(text('f.sarif')).runs[0]
    expect(results.map((each: Record<string, string>) => [each.ruleId, each.baselineState]).sort()).toEqual([
      ['NET002', 'new'],
      ['NS002', 'updated'],
      ['SEC003', 'unchanged'],
      ['SEC014', 'new'],
      ['WRK007', 'unchanged'],
    ])
    expect(JSON.parse(text('q.json'))).toHaveLength(5)
  })

  test('comments on the pull request, and keeps the verdict when it cannot', async () => {
    const { home, report } = await setUp()
    const posted: { url: string | undefined; body: string }[] = []
    const server = createServer(async (request, response) => {
      const sent = Buffer.concat(await request.toArray()).toString()
      if (request.method === 'POST') posted.push({ url: request.url, body: JSON.parse(sent).body })
      response.end(request.url === '/user' ? '{"id": 1}' : '[]')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const env = {
      ...{ GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'shop/web', GITHUB_REF: 'refs/pull/12/merge' },
      ...{ GITHUB_TOKEN: 'a-token', GITHUB_API_URL: `http://127.0.0.1:${port}` },
    }
    const argv = ['ci', report, '--fail-on', 'new>=high', '--comment']
    const commented = await runCli(argv, { home, env })
    expect(commented).toMatchObject({ code: 5, stderr: expect.stringContaining('Wrote a comment on the request') })
    expect(posted).toMatchObject([
      {
        url: '/repos/shop/web/issues/12/comments',
        body: expect.stringMatching(/^<!-- relt gate .*-->\n## Gate ❌ failed\n/),
      },
    ])
    const without = await runCli(argv, { home, env: { ...env, GITHUB_REF: 'refs/heads/main' } })
    expect(without).toMatchObject({ code: 5, stderr: expect.stringContaining('not of a pull request') })
    server.close()
    const unreachable = await runCli(argv, { home, env: { ...env, GITHUB_API_URL: 'http://127.0.0.1:1' } })
    expect(unreachable).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('No comment was written. 127.0.0.1:1'),
    })
    expect(unreachable.stderr).not.toContain('a-token')
  })

  test.each([
    ['GITHUB_ACTIONS', 'true'],
    ['TF_BUILD', 'True'],
  ])('prints nothing that a runner with %s=%s would obey', async (name, value) => {
    const home = temporaryFolder()
    const commands = '##vso[task.setvariable variable=PATH]x ##[error]y ::error::z'
    const report = { ...third, metadata: { ...third!.metadata, clusterName: commands, kubernetesVersion: commands } }
    const run = (...argv: string[]) =>
      runCli(argv, { home, stdin: JSON.stringify(report), env: { [name]: value, GITHUB_EVENT_PATH: home } })
    const results = [
      await run('ci', '-', '--fail-on', 'kubernetes-eol'),
      await run('ci', '-', '--fail-on', 'kubernetes-eol', '--json'),
      await run('reports', 'compare'),
    ]
    expect(results.map(({ code }) => code)).toEqual([6, 6, 3])
    for (const { stdout, stderr } of results) {
      expect(stdout + stderr).toContain('\\u0023#vso[task')
      expect(stdout + stderr.replace(/^::warning title=[^\n]*$/gm, '')).not.toMatch(/##(vso)?\[|^\s*::/m)
    }
    expect(JSON.parse(results[1]!.stdout).rules[0].reason).toContain(commands)
  })

  test('writes nothing for a pipeline that is not there, and no summary over the bound', async () => {
    const { home, report } = await setUp()
    const { stdout, stderr } = await runCli(['ci', report, '--fail-on', 'score<80'], { home })
    expect(stderr).toBe('')
    expect(stdout).toContain('✓ score<80')
    const step = join(home, 'step.md')
    writeFileSync(step, 'x'.repeat(1024 * 1024 - 10))
    await runCli(['ci', report, '--fail-on', 'score<80'], { home, env: { GITHUB_STEP_SUMMARY: step } })
    expect(readFileSync(step).length).toBe(1024 * 1024 - 10)
  })

  test('says which file cannot be written', async () => {
    const { home, report } = await setUp()
    const file = join(home, 'no', 'folder.xml')
    const { code, stderr } = await runCli(['ci', report, '--fail-on', 'score<80', '--junit', file], { home })
    expect(code).toBe(2)
    expect(stderr).toContain(`${file} cannot be written`)
    expect(existsSync(file)).toBe(false)
  })
})
