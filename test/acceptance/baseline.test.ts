import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli, temporaryFolder, testNow } from '../helpers/cli.ts'
import { nativeReportFile } from '../helpers/report.ts'
import { scan } from '../reports/scan.ts'

const daySeconds = 86_400
/** 2026-08-01 12:00:00 */
const start = testNow - 31 * daySeconds

const github = (build: number, more: Record<string, string> = {}) => ({
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: 'shop/web',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REF_NAME: 'main',
  GITHUB_REF_TYPE: 'branch',
  GITHUB_RUN_ID: String(build),
  GITHUB_SHA: build.toString(16).padStart(40, '0'),
  ...more,
})
const pullRequest = (build: number) =>
  github(build, { GITHUB_HEAD_REF: 'feature', GITHUB_BASE_REF: 'main', GITHUB_REF: 'refs/pull/7/merge' })

interface Found {
  critical?: string[]
  high?: string[]
  /** What a check that needs Prometheus found; a text: why it did not run. */
  prometheus?: string[] | string
  excluded?: string[]
  score?: number
  /** Further checks that the report has. */
  passed?: string[]
  without?: string
}

function reportOf({ critical = [], high = [], prometheus = [], excluded = [], score, passed = [], without }: Found) {
  const rows = (check: string, severity: string, names: string[]) =>
    names.map((resource) => ({ check, severity, namespace: 'shop', resource: `deployment/${resource}` }))
  const found = [
    ...rows('SEC001', 'critical', critical),
    ...rows('SEC002', 'high', high),
    ...(typeof prometheus === 'string' ? [] : rows('PROM001', 'critical', prometheus)),
  ]
  const report = scan(found, {
    cluster: 'prod',
    excludedNamespaces: excluded,
    passed: ['SEC001', 'SEC002', 'PROM001', ...passed],
    ...(score !== undefined && { score }),
  })
  const checks = Object.fromEntries(Object.entries(report.checks).filter(([id]) => id !== without))
  const failed = { ...report.checks.PROM001, Severity: 'critical', Error: prometheus, Items: null }
  return { ...report, checks: typeof prometheus === 'string' ? { ...checks, PROM001: failed } : checks }
}

/** A cluster, its pipeline and its clock. */
function openLife(policy = '') {
  const home = temporaryFolder()
  const clock = { now: start }
  const file = join(home, 'relt.yaml')
  const write = (lines: string) =>
    writeFileSync(file, `gate:\n  fail_on: [compromised]\n${lines.replace(/^(?=.)/gm, '  ')}`)
  write(policy)
  const run = (argv: string[], env: Record<string, string> = {}) => runCli(argv, { home, now: clock.now, env })
  const send = async (argv: string[], found: object, env: Record<string, string> = {}) => {
    clock.now += 3600
    const report = join(home, 'report.json')
    writeFileSync(report, JSON.stringify('checks' in found ? found : reportOf(found)))
    const policy = argv[0] === 'ci' ? ['--policy', file] : []
    return run([...argv, report, ...policy, '--finished-at', new Date(clock.now * 1000).toISOString()], env)
  }
  const ci = async (
    found: object,
    rules: string | string[] = 'new>=critical',
    env?: Record<string, string>,
    more: string[] = [],
  ) => (await send(['ci', ...[rules].flat().flatMap((rule) => ['--fail-on', rule]), ...more], found, env)).code
  return { home, clock, run, send, ci, write, forget: () => rmSync(join(home, 'relt.db'), { force: true }) }
}

const at = (clock: { now: number }) => new Date(clock.now * 1000).toISOString().slice(0, 10)

describe('a failure stands', () => {
  test('until it is mended', async () => {
    const { ci } = openLife()
    const rules = ['new>=critical', 'regressed>=critical']
    expect(await ci({ critical: ['a'] }, rules)).toBe(0)
    for (let i = 0; i < 4; i++) expect(await ci({ critical: ['a', 'b'] }, rules)).toBe(5)
    expect(await ci({ critical: ['a'] }, rules)).toBe(0)
    // It was known before the baseline: it came back.
    for (let i = 0; i < 2; i++) expect(await ci({ critical: ['a', 'b'] }, 'regressed>=critical')).toBe(5)
  })

  test('until it is taken in, and again after the end of that', async () => {
    const { ci, run, clock } = openLife()
    await ci({ critical: ['a'] })
    expect(await ci({ critical: ['a', 'b'] })).toBe(5)
    const until = at({ now: clock.now + 3 * daySeconds })
    const act = ['gate', 'baseline', '--reason', 'Moves on Friday', '--until', until]
    const dry = await run([...act, '--dry-run'])
    expect(dry.stdout + dry.stderr).toContain(`Would take in 1 critical until ${until}: prod (prod)`)
    expect(await ci({ critical: ['a', 'b'] })).toBe(5)
    expect((await run(act)).code).toBe(0)
    expect(await ci({ critical: ['a', 'b'] })).toBe(0)
    expect(await ci({ critical: ['a', 'b', 'c'] })).toBe(5)
    expect(await ci({ critical: ['a', 'b'] })).toBe(0)
    clock.now += 4 * daySeconds
    expect(await ci({ critical: ['a', 'b'] })).toBe(5)
    expect(await ci({ critical: ['a'] })).toBe(0)
  })

  test('until a reviewed line of the policy takes it in', async () => {
    const { ci, write, clock } = openLife()
    await ci({ critical: ['a'] })
    expect(await ci({ critical: ['a', 'b'] })).toBe(5)
    const until = at({ now: clock.now + 2 * daySeconds })
    write(`baseline: [{cluster: prod, day: ${at(clock)}, reason: x, until: ${until}}]\n`)
    expect(await ci({ critical: ['a', 'b'] })).toBe(0)
    clock.now += daySeconds
    expect(await ci({ critical: ['a', 'b'] })).toBe(0)
    expect(await ci({ critical: ['a', 'b', 'c'] })).toBe(5)
    clock.now += 2 * daySeconds
    expect(await ci({ critical: ['a', 'b'] })).toBe(5)
  })

  test('beside a lax pipeline, a comparison with the run before, and a verdict that is not recorded', async () => {
    const { ci, run } = openLife()
    expect(await ci({}, 'new>=high')).toBe(0)
    expect(await ci({ high: ['a'] }, 'new>=high')).toBe(5)
    expect(await ci({ high: ['a'] }, 'new>=critical')).toBe(0)
    expect(await ci({ high: ['a'] }, 'new>=high', {}, ['--baseline', 'previous'])).toBe(0)
    expect((await run(['gate', 'check', '--fail-on', 'new>=high', '--baseline', 'previous', '--no-record'])).code).toBe(
      0,
    )
    expect(await ci({ high: ['a'] }, 'new>=high')).toBe(5)
  })

  test('where three come each day and three are allowed', async () => {
    const { ci } = openLife()
    const names = (count: number) => Array.from({ length: count }, (_, i) => `n${i}`)
    expect(await ci({}, 'new>=critical>3')).toBe(0)
    expect(await ci({ critical: names(3) }, 'new>=critical>3')).toBe(0)
    expect(await ci({ critical: names(6) }, 'new>=critical>3')).toBe(5)
  })

  test('where the score falls by a little each day', async () => {
    const { ci } = openLife()
    expect(await ci({ score: 90 }, 'score-drop>5')).toBe(0)
    expect(await ci({ score: 87 }, 'score-drop>5')).toBe(0)
    expect(await ci({ score: 84 }, 'score-drop>5')).toBe(5)
    expect(await ci({ score: 91 }, 'score-drop>5')).toBe(0)
    expect(await ci({ score: 85 }, 'score-drop>5')).toBe(5)
  })
})

describe('a rule of another policy', () => {
  test('begins where the next laxer one passed', async () => {
    const { ci } = openLife()
    await ci({}, 'new>=critical')
    await ci({ high: ['a'] }, 'new>=critical')
    expect(await ci({ high: ['a'] }, 'new>=high')).toBe(0)
    expect(await ci({ high: ['a', 'b'] }, 'new>=high')).toBe(5)
    expect(await ci({ high: ['a', 'b'] }, 'new>=medium')).toBe(5)
  })

  test('is the same rule, whatever the policy is called', async () => {
    const { ci } = openLife()
    await ci({}, 'new>=high')
    expect(await ci({ high: ['a'] }, 'new>=high')).toBe(5)
    expect(await ci({ high: ['a'] }, ['new >= high', 'score<1'])).toBe(5)
  })
})

describe('an exception', () => {
  const exception = (expires: string) =>
    `exceptions: [{check: SEC001, resource: deployment/b, reason: x, expires: ${expires}}]\n`

  test('of a new finding ends, and it fails again', async () => {
    const { ci, write } = openLife(exception('2099-01-01'))
    await ci({ critical: ['a'] })
    for (let i = 0; i < 2; i++) expect(await ci({ critical: ['a', 'b'] })).toBe(0)
    write(exception('2026-07-01'))
    expect(await ci({ critical: ['a', 'b'] })).toBe(5)
    expect(await ci({ critical: ['a'] })).toBe(0)
  })

  test('of a standing finding ends, and it stands', async () => {
    const { ci, write } = openLife()
    await ci({ critical: ['b'] })
    write(exception('2099-01-01'))
    expect(await ci({ critical: ['b'] })).toBe(0)
    write('')
    expect(await ci({ critical: ['b'] })).toBe(0)
  })
})

describe('a first run', () => {
  test('by a person begins the baseline', async () => {
    const { send } = openLife()
    const { code, stdout } = await send(['ci', '--fail-on', 'new>=critical'], { critical: ['a', 'b'] })
    expect(code).toBe(0)
    expect(stdout).toContain('2 critical')
    expect(stdout).toContain('the first run')
  })

  test('in CI is undecided, and so are those after it, until a line of the policy begins one on that day', async () => {
    const { ci, send, write, clock } = openLife()
    const { code, stdout } = await send(['ci', '--fail-on', 'new>=critical'], { critical: ['a'] }, github(1))
    expect(code).toBe(6)
    expect(stdout).toContain(`begin: ${at(clock)}`)
    expect(await ci({ critical: ['a'] }, 'new>=critical', github(2))).toBe(6)
    write(`begin: ${at(clock)}\n`)
    expect(await ci({ critical: ['a'] }, 'new>=critical', github(3))).toBe(0)
    expect(await ci({ critical: ['a', 'b'] }, 'new>=critical', github(4))).toBe(5)
  })

  test.each<Record<string, string>>([{ CI: 'true' }, { CI: '1' }, { CI: 'woodpecker' }])(
    'in a system that only sets %j is undecided too',
    async (env) => {
      const { ci } = openLife()
      for (let run = 0; run < 2; run++) expect(await ci({ critical: ['a'] }, 'new>=critical', env)).toBe(6)
    },
  )

  test('where CI is off is one by a person', async () => {
    const { ci } = openLife()
    expect(await ci({ critical: ['a'] }, 'new>=critical', { CI: 'false' })).toBe(0)
  })

  test('after the cache is gone is no pass: the line is spent', async () => {
    const { ci, send, forget, clock } = openLife(`begin: ${at({ now: start })}\n`)
    expect(await ci({ critical: ['a'] }, 'new>=critical', github(1))).toBe(0)
    clock.now += 8 * daySeconds
    forget()
    const { code, stdout } = await send(['ci', '--fail-on', 'new>=critical'], { critical: ['a', 'b'] }, github(8))
    expect(code).toBe(6)
    expect(stdout.replace(/\s+/g, ' ')).toContain(`begin: ${at({ now: start })} is spent`)
    expect(await ci({ critical: ['a', 'b'] }, 'new>=critical', github(9))).toBe(6)
  })

  test('in CI after uploads that no gate judged is compared with the first of them', async () => {
    const { ci, send } = openLife()
    for (const build of [1, 2]) await send(['reports', 'upload'], { critical: ['a'] }, github(build))
    expect(await ci({ critical: ['a'] }, 'new>=critical', github(3))).toBe(0)
    expect(await ci({ critical: ['a', 'b'] }, 'new>=critical', github(4))).toBe(5)
  })
})

test('pull requests are compared with the last pass of their target branch, and are nobody’s baseline', async () => {
  const { ci, write, clock } = openLife()
  write(`begin: ${at({ now: clock.now + 3600 })}\n`)
  expect(await ci({ critical: ['a'] }, 'new>=critical', github(1))).toBe(0)
  for (const build of [2, 3, 4]) expect(await ci({ critical: ['a', 'b'] }, 'new>=critical', pullRequest(build))).toBe(5)
  expect(await ci({ critical: ['a'] }, 'new>=critical', pullRequest(5))).toBe(0)
  expect(await ci({ critical: ['a', 'b'] }, 'new>=critical', github(6))).toBe(5)
})

describe('subjects', () => {
  const image = (name: string, ids: string[]) => ({
    SchemaVersion: 2,
    ArtifactName: name,
    ArtifactType: 'container_image',
    Metadata: { OS: { Family: 'debian', Name: '12' } },
    Results: [
      {
        Target: name,
        Class: 'os-pkgs',
        Type: 'debian',
        Vulnerabilities: ids.map((VulnerabilityID) => ({
          VulnerabilityID,
          PkgName: 'a',
          Severity: 'CRITICAL',
          Title: 't',
        })),
      },
    ],
    checks: undefined,
  })

  test('have a baseline each, and one line tells of the others', async () => {
    const { ci, send } = openLife()
    const to = ['--cluster', 'prod']
    await ci(image('web:1', []), 'new>=critical', {}, to)
    await ci(image('api:1', []), 'new>=critical', {}, to)
    expect(await ci(image('web:2', ['CVE-1']), 'new>=critical', {}, to)).toBe(5)
    const { code, stdout } = await send(['ci', '--fail-on', 'new>=critical', ...to], image('api:2', []))
    expect(code).toBe(0)
    expect(stdout).toContain('1 other subject fails: web')
    expect(await ci(image('web:2', ['CVE-1']), 'new>=critical', {}, to)).toBe(5)
  })

  test('that are new in a cluster with history are new with all they have: a new name is no way out', async () => {
    const { ci } = openLife()
    const to = ['--cluster', 'prod']
    await ci(image('web:1', ['CVE-1']), 'new>=critical', {}, to)
    expect(await ci(image('shop-web:1', ['CVE-1']), 'new>=critical', {}, to)).toBe(5)
    expect(await ci(image('shop-web:1', ['CVE-1']), 'new>=critical', {}, to)).toBe(5)
    expect(await ci(image('other:1', []), 'new>=critical', {}, to)).toBe(0)
  })
})

describe('what was not read', () => {
  const down = 'Unable to reach Prometheus: connection refused'

  test('Prometheus goes: undecided until it is back, and then nothing is new', async () => {
    const { ci, send, write } = openLife()
    await ci({ prometheus: ['a', 'b'] })
    const { code, stdout } = await send(['ci', '--fail-on', 'new>=critical'], { prometheus: down })
    expect(code).toBe(6)
    expect(stdout).toContain('Let PROM001 run: Unable to reach Prometheus')
    const [, line] = /under gate\.undecided: (- .*)/.exec(stdout)!
    expect(await ci({ prometheus: down })).toBe(6)
    write(`undecided:\n  ${line}\n`)
    expect(await ci({ prometheus: down })).toBe(0)
    expect(await ci({ prometheus: ['a', 'b'] })).toBe(0)
    expect(await ci({ prometheus: ['a', 'b', 'c'] })).toBe(5)
  })

  test('Prometheus was never there: nothing about changes is undecided; what it finds first is looked at, and then compared', async () => {
    const { ci } = openLife()
    await ci({ prometheus: down })
    expect(await ci({ prometheus: down })).toBe(0)
    expect(await ci({ prometheus: down }, 'findings>=critical')).toBe(6)
    expect(await ci({ prometheus: ['a'] })).toBe(0)
    expect(await ci({ prometheus: ['a', 'b'] })).toBe(5)
  })

  test('a check that comes first while another finding fails is compared with the run that brought it', async () => {
    const { ci } = openLife()
    await ci({ without: 'PROM001' })
    expect(await ci({ critical: ['a'], without: 'PROM001' })).toBe(5)
    expect(await ci({ critical: ['a'] })).toBe(5)
    expect(await ci({ critical: ['a'], prometheus: ['p'] })).toBe(5)
    expect(await ci({ prometheus: ['p'] })).toBe(5)
    expect(await ci({})).toBe(0)
  })

  test('a namespace is excluded in which a critical comes', async () => {
    const { ci } = openLife()
    await ci({})
    expect(await ci({ excluded: ['shop'] })).toBe(6)
    expect(await ci({ critical: ['a'] })).toBe(5)
  })

  test('a failing check is skipped', async () => {
    const { ci } = openLife()
    await ci({})
    expect(await ci({ critical: ['a'] })).toBe(5)
    expect(await ci({ without: 'SEC001' })).toBe(6)
    expect(await ci({ without: 'SEC001' }, 'findings>=critical')).toBe(5)
    expect(await ci({ critical: ['a'] })).toBe(5)
  })

  test('a namespace that was excluded from the first day is scope', async () => {
    const { ci } = openLife()
    await ci({ excluded: ['kube-system'] })
    expect(await ci({ excluded: ['kube-system'] }, ['new>=critical', 'findings>=critical'])).toBe(0)
  })

  test('a run that is taken in as it is ends what it does not read', async () => {
    const { ci, run } = openLife()
    await ci({ prometheus: ['a'] })
    expect(await ci({ without: 'PROM001' })).toBe(6)
    const { stdout, stderr } = await run(['gate', 'baseline', '--reason', 'No Prometheus any more'])
    expect(stdout + stderr).toContain('1 part no longer expected: PROM001')
    expect(await ci({ without: 'PROM001' }, ['new>=critical', 'findings>=critical'])).toBe(0)
  })
})

test('a verdict has few lines', async () => {
  const { send, run } = openLife()
  const report = JSON.parse(readFileSync(nativeReportFile, 'utf8'))
  const rules = ['new>=high', 'regressed>=high', 'score-drop>5', 'compromised'].flatMap((rule) => ['--fail-on', rule])
  await send(['ci', ...rules], report)
  const { code } = await send(['ci', ...rules], report)
  expect(code).toBe(0)
  const wide = await run(['gate', 'check', ...rules, '--no-record'])
  expect(wide.stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(8)
})
