import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { findProgram } from '../src/util/exec.ts'
import { type Command, type Figure, inFolder, median, node, runInTurn } from './measure.ts'

/** How near a command is to the time that Node itself takes. */
export function startup(): Promise<Figure[]> {
  return inFolder(async (home) => {
    const env = { RELT_HOME: home }
    const server = await serve(`${home}/server`)
    const remote = { RELT_HOME: `${home}/client`, RELT_SERVER: server.url }
    const search = ['--local', 'projects', 'search', 'argo', '--json']
    const others = othersThere(server.url)
    const [bare, version, help, found, versionNpm, helpNpm, foundNpm, foundRemote, foundRemoteNpm, ...more] = runInTurn(
      [
        { argv: [node, '-e', '0'] },
        { argv: [binary(), '--version'], env },
        { argv: [binary(), '--help'], env },
        { argv: [binary(), ...search], env },
        { argv: [node, 'bin/relt.js', '--version'], env },
        { argv: [node, 'bin/relt.js', '--help'], env },
        { argv: [node, 'bin/relt.js', ...search], env },
        { argv: [binary(), ...search.slice(1)], env: remote },
        { argv: [node, 'bin/relt.js', ...search.slice(1)], env: remote },
        { argv: [binary(), '__complete', ':proj'], env },
        { argv: [binary(), '__complete', ':s', 'projects'], env },
        { argv: [binary(), '__complete', ':argo', 'projects', 'show'], env },
        ...others.map(({ command }) => command),
      ],
      15,
    )
    const asked = await timeOfAnswer(`${server.url}/api/relt/v1/projects?search=argo`)
    server.stop()
    const [nouns, verbs, names, ...theirs] = more
    const figure = (name: string, ours: number): Figure => ({ name, ours, base: bare!, unit: 'ms' })
    return [
      figure('binary --version / node -e 0', version!),
      figure('binary --help / node -e 0', help!),
      figure('binary projects search / node -e 0', found!),
      figure('npm form --version / node -e 0', versionNpm!),
      figure('npm form --help / node -e 0', helpNpm!),
      figure('npm form projects search / node -e 0', foundNpm!),
      figure("binary remote search less the server's time / node", foundRemote! - asked),
      figure('npm form remote projects search / node -e 0', foundRemoteNpm!),
      figure('binary completing nouns / node -e 0', nouns!),
      figure('binary completing verbs / node -e 0', verbs!),
      { ...figure('binary completing names / projects search', names!), base: found! },
      ...others.map(({ name, ours }, i): Figure => {
        const told = { remote: foundRemote!, version: version! }[ours]
        return { name, ours: told, base: theirs[i]!, unit: 'ms', isUnbounded: true }
      }),
    ]
  })
}

/** Median in ms of what a server takes, each time on a connection of its own as a command has it. */
async function timeOfAnswer(url: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 15; i++) {
    const started = performance.now()
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { agent: false }, resolve).once('error', reject)
    })
    await response.toArray()
    times.push(performance.now() - started)
  }
  return median(times)
}

/** What people use beside it, where it is installed. */
function othersThere(url: string): { name: string; ours: 'remote' | 'version'; command: Command }[] {
  const isThere = (program: string) => findProgram(program, process.env) !== undefined
  const pipe = ['sh', '-c', 'curl -sf "$1" | jq -c .items', 'sh', `${url}/projects?search=argo`]
  return [
    ...(isThere('curl') && isThere('jq')
      ? [{ name: 'binary remote projects search / curl | jq', ours: 'remote' as const, command: { argv: pipe } }]
      : []),
    ...(isThere('gh')
      ? [{ name: 'binary --version / gh --version', ours: 'version' as const, command: { argv: ['gh', '--version'] } }]
      : []),
  ]
}

export function binary(): string {
  const file = 'dist/relt'
  if (!existsSync(file)) throw new Error('build the binary first: npm run build:binary')
  return file
}

/** A server of its own process; its time is part of what a remote command takes. */
async function serve(home: string): Promise<{ url: string; stop: () => void }> {
  const child = spawn(binary(), ['serve', '--port', '0', '--log-level', 'silent', '--data', home], {
    env: { ...process.env, RELT_KEYCHAIN: 'off', RELT_RATE_LIMIT_ADDRESS: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  for await (const chunk of child.stderr) {
    const url = /Listening on (\S+)/.exec(String(chunk))?.[1]
    if (url) return { url, stop: () => child.kill() }
  }
  throw new Error('the server did not start')
}
