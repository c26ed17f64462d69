import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findProgram } from '../../src/util/exec.ts'
import { quoteShell } from '../../src/util/quote-shell.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { findPidNamespace, minimalEnv, reltFile } from '../helpers/process.ts'
import { isRunning } from '../helpers/programs.ts'

/** An installation: `bin` as it is, the Node that comes with it, and a program. */
function install({ program }: { program?: string }): string {
  const folder = temporaryFolder()
  cpSync(fileURLToPath(new URL('../../bin', import.meta.url)), join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  mkdirSync(join(folder, 'node_modules/node/bin'), { recursive: true })
  symlinkSync(process.execPath, join(folder, 'node_modules/node/bin/node'))
  if (program === undefined) symlinkSync(dirname(reltFile), join(folder, 'dist'))
  else {
    mkdirSync(join(folder, 'dist'))
    writeFileSync(join(folder, 'dist/main.cjs'), program)
  }
  return folder
}

/** The first Node on the PATH that is too old for relt. */
function findOlderNode(): string | undefined {
  const nodes = minimalEnv.PATH.split(delimiter).map((folder) => findProgram('node', { PATH: folder }))
  return nodes.find((node) => {
    const [major = 0, minor = 0] = node
      ? execFileSync(node, ['-p', 'process.versions.node']).toString().split('.')
      : [99]
    return Number(major) < 24 || (Number(major) === 24 && Number(minor) < 15)
  })
}

/** This Node, as if it were another. */
function disguisedAs(version: string): string[] {
  const other = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`
  return [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(other)}`]
}
const disguisedNode = disguisedAs('20.20.2')

function launch([program = '', ...args]: string[], env = {}) {
  const child = spawn(program, args, { env: { ...minimalEnv, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output.text += text
    })
  }
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)))
  return { child, output, ended, says: (text: string) => expect.poll(() => output.text).toContain(text) }
}

/** `kill` sends a signal to the older Node; `within` is the program that starts it. */
function run(folder: string, argv: string[], { node = disguisedNode, within = [] as string[], env = {} } = {}) {
  const launched = launch([...within, ...node, join(folder, 'bin/relt.js'), ...argv], env)
  const pid = launched.child.pid!
  const kill = (signal: NodeJS.Signals) => process.kill(within.length > 0 ? childrenFor(pid)[0]! : pid, signal)
  return { ...launched, kill }
}

const childrenFor = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** Says its process id and each signal it gets; ends with 43 at the first of `SIGTERM`, or at that of its argument. */
const listener = `
  let count = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => {
    console.log(signal + ' is number ' + ++count)
    if (signal === 'SIGTERM' || signal === process.argv[2]) process.exit(43)
  })
  setInterval(() => {}, 1000)
  console.log('started ' + process.pid + '.')`

const pidIn = (text: string) => Number(/started (\d+)\./.exec(text)?.[1])

const olderNode = findOlderNode()
const nodes: [string, string[]][] = [['this Node as an older one', disguisedNode]]
if (olderNode !== undefined) nodes.push(['the Node of this machine', [olderNode]])

describe.each(nodes)('with %s', (_, node) => {
  test.each([0, 1, 7, 130])(
    'ends with the exit code %d of the program, which has its arguments and streams',
    async (code) => {
      const program =
        'process.stdin.on("data", (text) => { console.log(String(text)); process.exit(Number(process.argv[2])) })'
      const { child, output, ended } = run(install({ program }), [String(code)], { node })
      child.stdin.write('for the program')
      expect(await ended).toBe(code)
      expect(output.text).toBe('for the program\n')
    },
  )

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const)('passes %s on to the program', async (signal) => {
    const { output, ended, kill, says } = run(install({ program: listener }), [signal], { node })
    await says('started')
    kill(signal)
    expect(await ended).toBe(43)
    expect(output.text).toContain(`${signal} is number 1\n`)
    expect(isRunning(pidIn(output.text))).toBe(false)
  })

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s ends both where the program does not listen',
    async (signal) => {
      const program = 'setInterval(() => {}, 1000); console.log("started " + process.pid + ".")'
      const { output, ended, kill, says } = run(install({ program }), [], { node })
      await says('started')
      kill(signal)
      expect(await ended).toBe(signal)
      expect(isRunning(pidIn(output.text))).toBe(false)
    },
  )

  test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('ends by %s if the program does', async (signal) => {
    const program = `process.kill(process.pid, '${signal}')`
    expect(await run(install({ program }), [], { node }).ended).toBe(signal)
  })

  test('`relt serve` ends in order, and its port is free', async () => {
    const env = { RELT_HOME: temporaryFolder() }
    const { output, ended, kill, says } = run(install({}), ['serve', '--port', '0'], { node, env })
    await says('Listening on')
    const [url = ''] = /http:\S+/.exec(output.text) ?? []
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    kill('SIGTERM')
    expect(await ended).toBe(0)
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
  })

  test('passes signals and exit codes on as process 1', async ({ skip }) => {
    const within = findPidNamespace()
    if (!within) return skip('unshare is not allowed here')
    for (const [signal, expected] of [
      ['SIGTERM', 43],
      ['SIGINT', 43],
      ['SIGHUP', 43],
    ] as const) {
      const { ended, kill, says } = run(install({ program: listener }), [signal], { node, within })
      await says('started')
      kill(signal)
      expect(await ended).toBe(expected)
    }
    const program = 'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)'
    // No signal ends process 1: it ends as a shell reports one.
    expect(await run(install({ program }), [], { node, within }).ended).toBe(143)
  })

  test('Ctrl-C in a terminal reaches the program once', async ({ skip }) => {
    const script = findProgram('script', process.env)
    if (script === undefined) return skip('script is not installed')
    const folder = install({ program: listener })
    const command = [...node, join(folder, 'bin/relt.js')].map(quoteShell).join(' ')
    const terminal = launch([script, '--quiet', '--return', '--command', `exec ${command}`, '/dev/null'])
    await terminal.says('started')
    const [older] = childrenFor(terminal.child.pid!)
    terminal.child.stdin.write('\u0003')
    await terminal.says('SIGINT is number 1')
    process.kill(older!, 'SIGTERM')
    await terminal.ended
    expect(terminal.output.text).toContain('SIGTERM is number 2')
  })
})

test('says how to get its own Node where npm ran no scripts', async () => {
  const folder = install({})
  rmSync(join(folder, 'node_modules/node/bin'), { recursive: true })
  const { output, ended } = run(folder, ['--version'])
  expect(await ended).toBe(1)
  expect(output.text).toMatch(
    /^relt: needs Node 24\.15 or newer; this is v[\d.]+\. To install its own: npm rebuild --ignore-scripts=false node\n$/,
  )
})

test('says so where its own Node does not run on this machine', async () => {
  const folder = install({})
  const file = join(folder, 'node_modules/node/bin/node')
  rmSync(file)
  writeFileSync(file, '#!/no/such/loader', { mode: 0o755 })
  const { output, ended } = run(folder, ['--version'])
  expect(await ended).toBe(1)
  expect(output.text).toMatch(/^relt: cannot run its own Node: .+\. Install Node 24\.15 or newer\.\n$/)
})

describe('scripts of npm', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const guard = 'node scripts/require-node.cjs && '

  test('say in one sentence how to get the right Node', () => {
    const run = (cwd: string, [node = '', ...args]: string[]) => {
      const { status, stderr } = spawnSync(node, [...args, join(root, 'scripts/require-node.cjs')], {
        cwd,
        env: minimalEnv,
      })
      return { status, stderr: stderr.toString() }
    }
    expect(run(root, [process.execPath])).toEqual({ status: 0, stderr: '' })
    for (const node of [...nodes.map(([, node]) => node), disguisedAs('26.12.1')]) {
      const { status, stderr } = run(root, node)
      expect(status).toBe(1)
      expect(stderr).toMatch(/^relt: needs Node .*: npm rebuild --ignore-scripts=false node\n$/)
      expect(run(temporaryFolder(), node).stderr).toMatch(/^relt: needs Node .*: npm ci\n$/)
    }
  })

  test('ask for the right Node before they need it', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const unguarded = Object.entries<string>(scripts).filter(([, script]) => !script.startsWith(guard))
    // These call a script that asks, or programs of their own.
    for (const [, script] of unguarded) expect(script).toMatch(/^(?:npm run --silent build|biome|tsc)\b/)
    expect(unguarded.length).toBeLessThan(Object.keys(scripts).length)
  })
})
