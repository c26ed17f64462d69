import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Figure, inFolder, node, relt, runInTurn, runOnce, usageOfBareNode } from './measure.ts'
import { binary } from './startup.ts'

/** Memory is released 10 s after the start. */
const startSeconds = 20
const idleSeconds = 60

/** How near the agent's first decision is to the start of Node, and what an idle agent takes. */
export function agent(): Promise<Figure[]> {
  return inFolder(async (home) => {
    const env = { RELT_HOME: home }
    const config = `${home}/agent.yaml`
    runOnce({ argv: relt('profiles', 'create', 'prod', '--provider', 'kubernetes', '--local'), env })
    const write = (schedule: string) =>
      writeFileSync(config, `jobs:\n  - {name: monthly, ${schedule}, profile: prod, server: local}\n`)
    write('every: 30d')
    const once = ['agent', 'run', '--once', '--config', config]
    const [bare, npmForm, binaryForm] = runInTurn(
      [{ argv: [node, '-e', '0'] }, { argv: relt(...once), env }, { argv: [binary(), ...once], env }],
      15,
    )
    write('schedule: "0 3 1 * *", time_zone: Europe/Berlin')
    const idle = await idleOf(config, env)
    const floor = usageOfBareNode()
    return [
      { name: 'binary agent run --once / node -e 0', ours: binaryForm!, base: bare!, unit: 'ms' },
      { name: 'npm form agent run --once / node -e 0', ours: npmForm!, base: bare!, unit: 'ms' },
      { name: 'idle agent, memory / peak of node -e 0', ours: idle.megabytes, base: floor.peakMb, unit: 'MB' },
      { name: 'idle agent, CPU of a minute / node -e 0', ours: idle.cpuMs, base: floor.cpuMs, unit: 'ms' },
      { name: 'idle agent, written bytes + 1', ours: idle.writtenBytes + 1, base: 1, unit: 'bytes', atMost: 1 },
    ]
  })
}

/** What an agent that has nothing to do takes, as Linux counts it. */
async function idleOf(config: string, env: Record<string, string>) {
  const [file, ...args] = relt('agent', 'run', '--config', config)
  const child = spawn(file!, args, { env: { ...process.env, RELT_KEYCHAIN: 'off', ...env }, stdio: 'ignore' })
  try {
    await sleep(startSeconds * 1000)
    const before = { cpuMs: cpuMs(child), writtenBytes: writtenBytes(child) }
    await sleep(idleSeconds * 1000)
    const residentKb = Number(/^Rss:\s+(\d+)/m.exec(read(child, 'smaps_rollup'))![1])
    return {
      megabytes: (residentKb * 1024) / 1e6,
      cpuMs: cpuMs(child) - before.cpuMs,
      writtenBytes: writtenBytes(child) - before.writtenBytes,
    }
  } finally {
    child.kill()
  }
}

const read = ({ pid }: ChildProcess, name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8')

/** Of all threads. */
function cpuMs(child: ChildProcess): number {
  const tasks = readdirSync(`/proc/${child.pid}/task`)
  return tasks.reduce((sum, task) => sum + Number(read(child, `task/${task}/schedstat`).split(' ')[0]) / 1e6, 0)
}

const writtenBytes = (child: ChildProcess): number => Number(/^write_bytes: (\d+)/m.exec(read(child, 'io'))![1])
