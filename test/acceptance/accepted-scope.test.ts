import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { makeSmallCatalog, smallReport } from '../helpers/small-store.ts'

const item = (namespace: string, name: string) => ({
  Namespace: namespace,
  Resource: `pod/${name}`,
  Message: 'is wrong',
})
const critical = (...items: object[]) => ({ severity: 'critical', items: items as Record<string, string>[] })
const low = (...items: object[]) => ({ severity: 'low', items: items as Record<string, string>[] })

type Checks = Parameters<typeof smallReport>[2]

/** A store of one cluster; each upload is a scan of another day. */
async function openStore() {
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  let day = 0
  const run = (...argv: string[]) => runCli(argv, { home })
  const upload = async (checks: Checks, excludedNamespaces = ['kube-system']) => {
    const report = smallReport(`2026-08-1${day++}T06:00:00Z`, 80, checks)
    Object.assign(report.metadata, { excludedNamespaces })
    const { stdout } = await runCli(['reports', 'upload', '-', '--json'], { home, stdin: JSON.stringify(report) })
    return JSON.parse(stdout).run_id as string
  }
  /** The exit codes of the gate, asked twice. */
  const ask = async (rule: string, ...more: string[]) => {
    const check = async () => (await run('gate', 'check', '--fail-on', rule, ...more)).code
    return [await check(), await check()]
  }
  /** The same for each of some rules, with its name. */
  const askAll = async (rules: string[], ...more: string[]) => {
    const codes: [string, ...number[]][] = []
    for (const rule of rules) codes.push([rule, ...(await ask(rule, ...more))])
    return codes
  }
  const policy = (lines: string) => {
    const file = join(home, 'relt.yaml')
    writeFileSync(file, `gate:\n${lines}`)
    return ['--policy', file]
  }
  return { home, run, upload, ask, askAll, policy }
}

const whole = { SEC014: critical(item('shop', 'cart')), WRK007: low() }
const withoutSec014 = { WRK007: low() }
const rulesOnChecks = ['findings>=critical', 'new>=critical', 'regressed>=critical', 'score<10', 'score-drop>50']

describe('a check that is gone', () => {
  test('leaves every rule on checks undecided on every later run, until the scope is accepted', async () => {
    const { run, upload, askAll } = await openStore()
    const expectCodes = async (code: number) =>
      expect(await askAll(rulesOnChecks)).toEqual(rulesOnChecks.map((rule) => [rule, code, code]))
    await upload(whole)
    for (const _ of [1, 2, 3]) {
      await upload(withoutSec014)
      await expectCodes(6)
    }
    const accepted = await run('gate', 'accept-scope', '--reason', 'Renamed')
    expect(accepted).toMatchObject({ code: 0, stdout: expect.stringMatching(/^PART +NAME +RUN\ncheck +SEC014 +crun_/) })
    await expectCodes(0)
    await upload(withoutSec014)
    await expectCodes(0)
    await upload({ NEW001: low() })
    await expectCodes(6)
  })

  test('is named in text and JSON, with how to accept it, and with who accepted it and when', async () => {
    const { run, upload } = await openStore()
    await upload(whole)
    const id = await upload(withoutSec014)
    const check = (...more: string[]) => run('gate', 'check', '--fail-on', 'findings>=critical', ...more)
    const { stdout, stderr } = await check()
    expect(stdout).toContain('? findings>=critical  1 check of the accepted scope is not in the report: SEC014\n')
    expect(stdout).toContain('Accepted scope: 2 checks; from the scans so far, nobody has accepted a scope\n')
    expect(stderr).toContain('relt gate accept-scope')
    expect(JSON.parse((await check('--json')).stdout).accepted_scope).toMatchObject({
      ...{ checks: 2, missing_checks: ['SEC014'], accepted_by: null, accepted_at: null },
    })
    expect((await run('reports', 'show')).stdout).toContain('without 1 check of the accepted scope')
    const dry = await run('gate', 'accept-scope', '--dry-run', '--json')
    expect(JSON.parse(dry.stdout)).toMatchObject({
      dry_run: true,
      accepted: [{ run_id: id, dropped_checks: ['SEC014'] }],
    })
    expect((await check()).code).toBe(6)

    await run('gate', 'accept-scope', id, '--reason', 'Renamed to SEC103')
    const record = JSON.parse((await run('reports', 'show', '--json')).stdout)
    expect(record).toMatchObject({
      scope_gaps: 0,
      missing_checks: ['SEC014'],
      first_seen_checks: [],
      accepted_scope: {
        ...{ run_id: id, accepted_by: 'local', accepted_at: '2026-09-01 12:00:00', reason: 'Renamed to SEC103' },
        ...{ checks: 1, missing_checks: [] },
      },
    })
    expect((await check()).stdout).toContain(
      'Accepted scope: 1 check, accepted by local at 2026-09-01 12:00:00: Renamed to SEC103\n',
    )
  })

  test('is expected again when a later scan brings it back', async () => {
    const { run, upload, ask } = await openStore()
    await upload(whole)
    await upload(withoutSec014)
    await run('gate', 'accept-scope')
    await upload({ ...whole, SEC014: critical() })
    expect(await ask('findings>=critical')).toEqual([0, 0])
    await upload(withoutSec014)
    expect(await ask('findings>=critical')).toEqual([6, 6])
  })

  test('is accepted in a pipeline by a line of the policy, which the verdict records', async () => {
    const { run, upload, ask, policy } = await openStore()
    await upload(whole)
    await upload(withoutSec014)
    const entry = '  accept_scope:\n    - {check: SEC0*, reason: Renamed to SEC103}\n'
    const rules = '  fail_on: [findings>=critical]\n'
    expect(await ask('score<10', ...policy(rules + entry))).toEqual([0, 0])
    const { gate } = JSON.parse((await run('reports', 'show', '--json')).stdout)
    const recorded = gate.policies.find(({ policy }: { policy: { name: string } }) =>
      policy.name.startsWith('relt.yaml'),
    )
    expect(recorded).toMatchObject({
      ...{ by: 'local', at: '2026-09-01 12:00:00', verdict: 'passed' },
      accept_scope: [{ source: expect.stringMatching(/relt\.yaml:4$/), reason: 'Renamed to SEC103', matched: 1 }],
    })
    expect((await run('reports', 'show')).stdout).toContain('relt.yaml:4 accepts 1 out of scope: Renamed to SEC103')
    // It accepts nothing for those who have not the line, and ends with its last day.
    expect(await ask('findings>=critical')).toEqual([6, 6])
    const expired = '  accept_scope:\n    - {check: SEC0*, reason: x, expires: 2026-08-31}\n'
    expect(await ask('score<10', ...policy(rules + expired))).toEqual([6, 6])
    expect(await ask('score<10', ...policy(`${rules}  accept_not_run: [SEC014]\n`))).toEqual([0, 0])
  })

  test('cannot be accepted by a run that is not the latest', async () => {
    const { run, upload } = await openStore()
    const first = await upload(whole)
    const id = await upload(withoutSec014)
    expect(await run('gate', 'accept-scope', first)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`A later run of kubebuddy is stored: ${id}.`),
    })
  })

  test('stays missing when the runs that had it are deleted', async () => {
    const { run, upload, ask } = await openStore()
    const first = await upload(whole)
    await upload(withoutSec014)
    expect((await run('reports', 'delete', first, '--yes')).code).toBe(0)
    expect(await ask('findings>=critical')).toEqual([6, 6])
  })
})

describe('a namespace that is left out', () => {
  test('leaves every rule but that on Kubernetes undecided until that is accepted', async () => {
    const { run, upload, askAll, policy } = await openStore()
    const rules = [...rulesOnChecks, 'major-behind>9', 'eol>9']
    const expectCodes = async (code: number, ...more: string[]) =>
      expect(await askAll(rules, ...more)).toEqual(rules.map((rule) => [rule, code, code]))
    await upload({ ...whole, SEC014: critical() })
    for (const _ of [1, 2]) {
      await upload({ ...whole, SEC014: critical() }, ['kube-system', 'shop'])
      await expectCodes(6)
    }
    await expectCodes(0, ...policy('  accept_scope:\n    - {namespace: shop, reason: Not ours}\n'))
    await run('gate', 'accept-scope')
    await expectCodes(0)
  })

  test('does not hold up the support of Kubernetes', async () => {
    const { upload, ask } = await openStore()
    await upload(whole)
    await upload(whole, ['kube-system', 'shop'])
    expect(await ask('kubernetes-eol')).toEqual([0, 0])
  })
})

describe('what comes into the scope', () => {
  test('a namespace that was created since lay in it: its findings are new', async () => {
    const { upload, ask } = await openStore()
    await upload(whole)
    await upload({ ...whole, SEC014: critical(item('shop', 'cart'), item('fresh', 'web')) })
    expect(await ask('new>=critical')).toEqual([5, 5])
  })

  test.each([
    ['a check', { ...whole, SEC099: critical(item('shop', 'web')) }, ['kube-system']],
    ['a namespace', { ...whole, SEC014: critical(item('shop', 'cart'), item('kube-system', 'web')) }, []],
  ])('%s leaves new undecided if it has findings that the rule counts', async (_, checks, excluded) => {
    const { run, upload, ask, policy } = await openStore()
    await upload(whole)
    await upload(checks, excluded)
    expect(await ask('new>=critical')).toEqual([6, 6])
    expect((await run('gate', 'check', '--fail-on', 'new>=critical')).stdout).toContain(
      '1 finding at or above critical first seen: the earlier run left out their checks or namespaces; set new_scope',
    )
    expect(await ask('new>=critical', ...policy('  new_scope: pass\n'))).toEqual([0, 0])
    expect(await ask('new>=critical', ...policy('  new_scope: fail\n'))).toEqual([5, 5])
    expect(await ask('regressed>=critical')).toEqual([0, 0])
    expect((await run('reports', 'compare')).stdout).toContain('1 first seen')
  })

  test('a check decides new if the rule does not count its findings, or if an exception accepts them', async () => {
    const { upload, ask, policy } = await openStore()
    await upload(whole)
    await upload({ ...whole, SEC099: low(item('shop', 'web')) })
    expect(await ask('new>=critical')).toEqual([0, 0])
    expect(await ask('new>=low')).toEqual([6, 6])
    const exception = '  exceptions:\n    - {check: SEC099, reason: Known, expires: 2026-12-31}\n'
    expect(await ask('new>=low', ...policy(exception))).toEqual([0, 0])
  })

  test('a finding that was not looked at meanwhile is neither new nor regressed', async () => {
    const { upload, ask } = await openStore()
    await upload(whole)
    await upload(withoutSec014)
    await upload(whole)
    expect(await ask('new>=critical')).toEqual([0, 0])
    expect(await ask('regressed>=critical')).toEqual([0, 0])
  })
})

test('a run that waits for its server says that only the server knows the accepted scope', async () => {
  const { home } = await openStore()
  const argv = [
    'ci',
    '-',
    '--offline-ok',
    '--server',
    'http://127.0.0.1:9',
    '--fail-on',
    'findings>=critical>9',
    '--json',
  ]
  const report = smallReport('2026-08-11T06:00:00Z', 80, whole)
  const env = { RELT_TOKEN: 'x' }
  const { stdout } = await runCli(argv, { home, env, stdin: JSON.stringify(report) })
  expect(JSON.parse(stdout).rules[0].notes).toContain(
    'Only the server knows the accepted scope, so a check that is gone is not noticed',
  )
})
