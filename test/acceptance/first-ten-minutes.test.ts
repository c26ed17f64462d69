import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../helpers/cli.ts'
import { minimalEnv, reltFile, reltScript } from '../helpers/process.ts'
import { type FakeProgram, makePrograms } from '../helpers/programs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const example = (name: string) => join(root, 'examples', name)

type Way = 'with KubeBuddy' | 'without KubeBuddy'

interface Step {
  heading: string
  /** A line that shows that the block did its work. */
  says: RegExp
  /** The report that the scanner writes. */
  report?: string
  /** Of one way only. */
  way?: Way
}

const compared = /^Score 61 → 72\.5 \+11\.5 {3}4 new, 0 regressed, 14 resolved, 70 unchanged$/m
const steps: Step[] = [
  { heading: '1. Install', says: /^relt \d+\.\d+\.\d+/m },
  {
    heading: '2. Demo',
    says: /^Score 72\.5 → 81 \+8\.5 {3}3 new, 5 regressed, 10 resolved, 1 event now, 60 unchanged$/m,
  },
  { heading: '3. Your own report', says: /^$/ },
  { heading: '3. Your own report', says: /^/, report: 'shop-1.json', way: 'with KubeBuddy' },
  { heading: '3. Your own report', says: /^$/, way: 'without KubeBuddy' },
  { heading: '3. Your own report', says: /^21 findings, 23 rows in shop-prod \(prod\)$/m },
  { heading: '4. Profile and scan', says: /^✓ Created the profile shop/m },
  { heading: '4. Profile and scan', says: compared, report: 'shop-2.json', way: 'with KubeBuddy' },
  { heading: '4. Profile and scan', says: compared, way: 'without KubeBuddy' },
  {
    heading: '5. Gate',
    says: /^Gate passed\n[\s\S]*^✓ new>=high .*, the first run\)\n✓ score-drop>5 .*, the first run\)$/m,
  },
  { heading: '5. Gate', says: /^✗ new>=critical {2}1 new critical finding[\s\S]*^exit code 5$/m },
  { heading: '6. Subscriptions in a file', says: /^No changes: everything matches relt\.yaml\.$/m },
  { heading: '7. Server', says: /^Listening on http:\/\/127\.0\.0\.1:\d+$/m },
  { heading: '8. The first user', says: /^✓ Signed in to \S+ \(\S+\) as ada[\s\S]*^✓ Stored$/m },
  { heading: '9. The second user', says: /^shop-prod \(prod\)\nRUN .*\ncrun_\w+ +2026-07-20 05:30:12 +61 /m },
  { heading: '10. CI', says: /^✓ Added ci to team default$/m },
  { heading: '10. CI', says: /^Gate passed\n[\s\S]*^✓ new>=high .*, the first run\)$/m },
]

test.each<Way>(['with KubeBuddy', 'without KubeBuddy'])(
  'every command of docs/first-ten-minutes.md works in its order on a fresh home %s',
  async (chosen) => {
    const all = readBlocks(readFileSync(join(root, 'docs/first-ten-minutes.md'), 'utf8'))
    expect(all.map(({ heading, way }) => [heading, way])).toEqual(steps.map(({ heading, way }) => [heading, way]))
    // From then on, both ways are one.
    const end = chosen === 'with KubeBuddy' ? all.length : 1 + steps.findLastIndex(({ way }) => way === chosen)
    const blocks = all
      .map((block, i) => ({ ...block, ...steps[i]! }))
      .slice(0, end)
      .filter(({ way = chosen }) => way === chosen)
    const machine = makeMachine(chosen === 'with KubeBuddy' ? ['kubebuddy'] : [])
    let port = '0'
    for (const { heading, shell, says, report } of blocks) {
      const isServer = shell.startsWith('relt serve')
      const command = shell.replaceAll('8787', port)
      const started = machine.start(command, report === undefined ? {} : { FAKE_REPORT: example(report) })
      const ended = isServer ? await started.shown(says) : await started.ended
      const expected = { heading, code: isServer ? null : 0, output: expect.stringMatching(says) }
      expect({ heading, ...ended }).toEqual(expected)
      if (isServer) port = /^Listening on \S+:(\d+)$/m.exec(ended.output)![1]!
    }
    if (end < all.length) return
    const { work } = machine
    expect(existsSync(join(work, 'first-minutes/relt.xml'))).toBe(true)
    expect(readFileSync(join(work, 'first-minutes/relt.md'), 'utf8')).toContain('shop-prod')
  },
)

test('README links the page', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('(docs/first-ten-minutes.md)')
})

/** The shell blocks of a page with the heading that each is under, and the way that its paragraph names. */
function readBlocks(page: string): { heading: string; way: Way | undefined; shell: string }[] {
  return page.split(/^## /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'))
    return [...section.matchAll(/(?:^(With|Without) KubeBuddy\b.*\n\n)?^```sh\n([\s\S]*?)^```$/gm)].map(
      ([, word, shell]) => ({
        heading,
        way: word === undefined ? undefined : (`${word.toLowerCase()} KubeBuddy` as Way),
        shell: shell!,
      }),
    )
  })
}

interface Shown {
  /** Null while it runs. */
  code: number | null
  output: string
}

/** An account without rights, for tests that run as root. */
const nobody = 65_534

/** Whether that account may run the program and read its sources. A closed umask of the clone forbids it. */
const canRunAsNobody = () =>
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, [reltFile, 'version'], { uid: nobody, gid: nobody, env: { ...minimalEnv, HOME: '/' } })
    .status === 0

/**
 * A fresh home and a clone, of a user without rights of root. The scanner is a fixture, and so is npm, because tests have no
 * network.
 */
function makeMachine(fixtures: FakeProgram[]) {
  const home = temporaryFolder()
  const work = join(home, 'work')
  const clone = join(work, 'relt')
  mkdirSync(clone, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) symlinkSync(join(root, name), join(clone, name))
  cpSync(join(root, 'examples'), join(clone, 'examples'), { recursive: true })
  const programs = makePrograms(home, fixtures)
  const bin = programs.env.PATH!
  mkdirSync(join(clone, 'bin'))
  writeFileSync(join(clone, 'bin/relt.js'), reltScript, { mode: 0o755 })
  writeFileSync(join(bin, 'npm'), npm, { mode: 0o755 })
  const place = join(home, 'place')
  writeFileSync(place, clone)
  const env = {
    ...minimalEnv,
    ...programs.env,
    PATH: `${join(home, '.local/bin')}:${bin}:${minimalEnv.PATH}`,
    HOME: home,
    NODE_NO_WARNINGS: '1',
    RELT_OSV_URL: 'none',
    RELT_KEV_URL: 'none',
    RELT_CHANNELS_URL: 'none',
  }
  const account = canRunAsNobody() ? { uid: nobody, gid: nobody } : {}
  if (account.uid !== undefined) execFileSync('chown', ['-R', `${nobody}:${nobody}`, home])

  /** Runs a block as bash does, in the folder where the block before it ended. */
  const start = (shell: string, extra: Record<string, string>) => {
    const script = `set -euo pipefail\ncd "$(cat '${place}')"\n${shell}\npwd > '${place}'\n`
    const child = spawn('bash', ['-c', script], {
      env: { ...env, ...extra },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...account,
    })
    onTestFinished(() => killGroup(child))
    let output = ''
    const shown = Promise.withResolvers<void>()
    let awaited: RegExp | undefined
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (awaited?.test(output)) shown.resolve()
      })
    }
    const ended = new Promise<Shown>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code) => resolve({ code, output }))
    })
    return {
      ended,
      /** Resolves when the output matches, or when the block ends before it does. */
      shown: async (pattern: RegExp): Promise<Shown> => {
        awaited = pattern
        if (!pattern.test(output)) await Promise.race([shown.promise, ended])
        return { code: child.exitCode, output }
      },
    }
  }
  return { work, start }
}

/** Accepts what a clone allows: its lock file and its scripts. */
const npm = `#!/bin/sh
case "$*" in
  ci) test -f package-lock.json ;;
  "run build") grep -q '"build": ' package.json ;;
  *) echo "npm $*: not in this test" >&2; exit 2 ;;
esac
`

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
}
