import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ReltError } from '../../src/errors.ts'
import type { Profile } from '../../src/profiles/index.ts'
import { runScanner, type ScannerRun } from '../../src/scan/run-scanner.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { type FakeProgram, isRunning, makePrograms } from '../helpers/programs.ts'
import { exampleFile } from '../helpers/report.ts'
import { writeCluster } from './cluster.ts'

const profile: Profile = {
  name: 'prod',
  cluster_name: 'shop-prod',
  provider: 'kubernetes',
  settings: { output: { htmlReport: true }, thresholds: { cpu_warning: 50 }, radar: { upload: true } },
}

const programs = { native: 'kubebuddy', powershell: 'pwsh', docker: 'docker' } as const
type Name = keyof typeof programs

/** A machine with one runner, and a scan on it. Checks at the end that nothing is left. */
function prepare(behaviour: string, name: Name = 'native', env: Record<string, string> = {}) {
  const home = temporaryFolder()
  const fake = makePrograms(home, [programs[name] as FakeProgram], {
    FAKE_SCAN: behaviour,
    FAKE_REPORT: exampleFile(1),
    SCAN_TOKEN: 'a-secret-token',
    ...env,
  })
  const lines: string[] = []
  const controller = new AbortController()
  onTestFinished(async () => {
    // A killed process takes a moment to go.
    await expect.poll(() => fake.pids().filter(isRunning)).toEqual([])
    expect(readdirSync(fake.temporary)).toEqual([])
  })
  const scan = (options: Partial<ScannerRun> = {}) =>
    runScanner({
      profile,
      runner: { name, file: join(home, 'bin', programs[name]) },
      env: fake.env,
      signal: controller.signal,
      timeoutMs: 60_000,
      graceMs: 100,
      tag: 'v1.2.3',
      onLine: (line) => lines.push(line),
      ...options,
    })
  /** Aborted as soon as the scanner says that it waits. */
  const cancelled = () =>
    scan({
      onLine: (line) => {
        if (line === 'ready') controller.abort()
      },
    })
  return { home, fake, lines, scan, cancelled }
}

async function toFailure(work: Promise<unknown>): Promise<ReltError> {
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  if (error instanceof ReltError) return error
  throw new Error(`no ReltError: ${error}`)
}

describe.each(['native', 'powershell', 'docker'] as const)('the runner %s', (name) => {
  test('gives the report that the scanner wrote', async () => {
    const { scan } = prepare('success', name)
    const { report, hasImages, excludedNamespaces } = await scan()
    expect(Buffer.from(report).equals(readFileSync(exampleFile(1)))).toBe(true)
    expect({ hasImages, excludedNamespaces }).toEqual({ hasImages: true, excludedNamespaces: expect.any(Array) })
  })

  test('hands over the profile, but neither the upload nor what only relt may know', async () => {
    const { scan, fake } = prepare('success', name, { RELT_MASTER_KEY: 'of-the-store' })
    await scan()
    const [call] = fake.calls()
    expect(call!.config!.text).toContain('cpu_warning: 50')
    expect(call!.config!.text).not.toContain('radar')
    expect(call!.args.join(' ')).toContain('shop-prod')
    expect(call!.args.join(' ').toLowerCase()).not.toMatch(/radar|a-secret-token/)
    expect(call!.environment).toContain('SCAN_TOKEN')
    expect(call!.environment).not.toContain('RELT_MASTER_KEY')
  })

  test('keeps what is temporary from others', async () => {
    const { scan, fake } = prepare('success', name)
    await scan()
    const { config, folder } = fake.calls()[0]!
    expect(folder.above).toBe('700')
    // A container's user has to get at them, through a folder that is closed to others here.
    expect([folder.mode, config!.mode]).toEqual(name === 'docker' ? ['777', '644'] : ['700', '600'])
  })
})

describe('another context than the current one', () => {
  test.each(['native', 'powershell'] as const)('is named by a file before those of the machine (%s)', async (name) => {
    const { scan, fake } = prepare('success', name, { KUBECONFIG: '/etc/kube/a:/etc/kube/b' })
    await scan({ context: 'admin@blue "x"' })
    const { text, mode, paths } = fake.calls()[0]!.kubeconfig!
    expect(JSON.parse(text)).toEqual({ apiVersion: 'v1', kind: 'Config', 'current-context': 'admin@blue "x"' })
    expect([mode, paths.split(':').slice(1)]).toEqual(['600', ['/etc/kube/a', '/etc/kube/b']])
  })

  test('is named before the kubeconfig of the home folder', async () => {
    const { scan, fake } = prepare('success', 'native', { HOME: '/home/ops' })
    await scan({ context: 'blue' })
    expect(fake.calls()[0]!.kubeconfig!.paths.split(':')[1]).toBe('/home/ops/.kube/config')
  })

  test('is all that a container gets', async () => {
    const { home, scan, fake } = prepare('success', 'docker')
    makePrograms(home, [])
    writeCluster(join(home, 'cluster'), {}, { context: 'blue' })
    await scan({ context: 'blue' })
    expect(fake.calls()[0]!.kubeconfig).toMatchObject({
      text: expect.stringMatching(/"current-context":"blue".*"token":"a-token"/),
      mode: '644',
    })
    expect(await toFailure(scan({ context: 'green' }))).toMatchObject({
      code: 'usage',
      message: 'No kubeconfig has the context green.',
      hint: 'Choose one of blue with --context.',
    })
  })

  test('is readable for a container under a closed umask, too', async () => {
    const { home, scan, fake } = prepare('success', 'docker')
    makePrograms(home, [])
    writeCluster(join(home, 'cluster'), {}, { context: 'blue' })
    const usual = process.umask(0o077)
    onTestFinished(() => void process.umask(usual))
    await scan({ context: 'blue' })
    const { config, folder, kubeconfig } = fake.calls()[0]!
    expect([folder.mode, config!.mode, kubeconfig!.mode]).toEqual(['777', '644', '644'])
  })
})

test.each([
  ['fail', 'The scanner ended with exit code 3.', 'Error: the cluster cannot be reached'],
  ['no-report', 'The scanner succeeded but wrote no report.', 'Signed in with ***'],
  ['truncated', "The scanner's report is not valid JSON: it ends too early.", 'Signed in with ***'],
])('a scanner that ends with %s is reported with its last lines', async (behaviour, message, last) => {
  const { scan } = prepare(behaviour)
  const error = await toFailure(scan())
  expect(error).toMatchObject({ code: 'scan_failed', message, hint: expect.stringMatching(/\w/) })
  expect([...error.output!].sort()).toEqual(
    [...new Set(['Scanning the cluster red', 'Signed in with ***', last])].sort(),
  )
})

test.each(['hang', 'endless', 'stubborn'])('a scan that goes on for too long (%s) is ended', async (behaviour) => {
  const { scan } = prepare(behaviour)
  const error = await toFailure(scan({ timeoutMs: 2000 }))
  expect(error).toMatchObject({ code: 'scan_failed', message: 'The scanner did not end within 2 seconds.' })
  expect(error.output!.length).toBeLessThanOrEqual(15)
})

test.each(['hang', 'stubborn'])(
  'a scan that is cancelled (%s) is ended with all that it started',
  async (behaviour) => {
    const { cancelled, fake } = prepare(behaviour)
    expect(await toFailure(cancelled())).toMatchObject({ code: 'cancelled' })
    expect(fake.pids().length).toBe(behaviour === 'stubborn' ? 2 : 1)
  },
)

test('what the scanner leaves in the background does not outlive the scan', async () => {
  const { scan, fake } = prepare('background')
  await scan()
  expect(fake.pids().length).toBe(2)
})

test('a container is stopped by its name when its scan is cancelled', async () => {
  const { cancelled, fake } = prepare('container', 'docker')
  expect(await toFailure(cancelled())).toMatchObject({ code: 'cancelled' })
  const [run, stop] = fake.calls()
  const name = run!.args[run!.args.indexOf('--name') + 1]
  expect(stop!.args).toEqual(['stop', '-t', '5', name])
})

test('a container needs a tag', async () => {
  const { scan } = prepare('success', 'docker')
  expect(await toFailure(scan({ tag: undefined }))).toMatchObject({
    code: 'usage',
    hint: expect.stringContaining('--tag'),
  })
})

test('a report of 60 MB is taken', async () => {
  const { scan } = prepare('large')
  expect((await scan()).report.length).toBeGreaterThan(60_000_000)
})

test('reports stay in the folder that is named, and their scanner is asked for all formats', async () => {
  const { scan, fake, home } = prepare('success')
  const keepIn = join(home, 'kept', 'reports')
  const { file } = await scan({ keepIn })
  expect(file).toBe(join(keepIn, 'kubebuddy-report-20260901-120000.json'))
  expect(statSync(file).isFile()).toBe(true)
  expect(fake.calls()[0]!.args).toEqual(expect.arrayContaining(['--html-report', '--json-report']))
})

test('without such a folder only the JSON report is made', async () => {
  const { scan, fake } = prepare('success')
  const { file } = await scan()
  expect(existsSync(file)).toBe(false)
  expect(fake.calls()[0]!.args).not.toContain('--html-report')
})

test('every line is handed over as it comes, without colours and secrets', async () => {
  const { scan, lines } = prepare('success')
  await scan()
  expect(lines.sort()).toEqual(['Scanning the cluster red', 'Signed in with ***'])
})

test('a program that cannot be started is reported', async () => {
  const { scan, home } = prepare('success')
  const folder = join(home, 'bin', 'folder')
  mkdirSync(folder)
  expect(await toFailure(scan({ runner: { name: 'native', file: folder } }))).toMatchObject({
    code: 'scan_failed',
    message: expect.stringContaining('cannot be run'),
  })
})

test('a profile that the scanner could not run is refused before it is started', async () => {
  const { scan, fake } = prepare('success')
  const broken = { ...profile, provider: 'aks' as const, settings: { aks: { subscriptionId: 's' } } }
  expect(await toFailure(scan({ profile: broken }))).toMatchObject({ code: 'invalid_param' })
  expect(fake.calls()).toEqual([])
})
