import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ownCpu } from './cpu.ts'
import { type Figure, inFolder, node, relt, usageOfBareNode } from './measure.ts'

const reports = 20_000
const sampleMs = 25

/** The reports of an operator in a large cluster: memory of relt and all that it starts, and CPU time as their number doubles. */
export function collect(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const quarter = await measure(join(folder, 'quarter'), reports / 4)
    const half = await measure(join(folder, 'half'), reports / 2)
    const whole = await measure(join(folder, 'whole'), reports)
    return [
      {
        name: `collect of ${reports} reports, memory with kubectl / node -e 0`,
        ours: whole.peakMb,
        base: usageOfBareNode().peakMb,
        unit: 'MB',
      },
      { name: 'collect: CPU / CPU of half, twice', ours: whole.cpuMs, base: 2 * half.cpuMs, unit: 'ms' },
      {
        name: 'collect: CPU of half / of a quarter, twice',
        ours: half.cpuMs,
        base: 2 * quarter.cpuMs,
        unit: 'ms',
      },
    ]
  })
}

async function measure(folder: string, count: number): Promise<{ cpuMs: number; peakMb: number }> {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  const program = resolve('bench/operator-cluster.mjs')
  writeFileSync(join(bin, 'kubectl'), `#!/bin/sh\nexec '${node}' '${program}' "$@"\n`)
  chmodSync(join(bin, 'kubectl'), 0o755)
  const env = { PATH: `${bin}:${process.env.PATH}`, RELT_HOME: folder, RELT_KEYCHAIN: 'off', REPORTS: String(count) }
  const [file, ...args] = relt('scan', 'collect', '--from', 'trivy-operator', '--cluster', 'large', '--json')
  const child = spawn(file!, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let [peakMb, cpuMs, said] = [0, 0, '']
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, treeMb(child.pid!))
    cpuMs = 1000 * cpuOf(child.pid!, cpuMs / 1000)
  }, sampleMs)
  const code = await new Promise((done) => child.once('exit', done))
  clearInterval(timer)
  if (code !== 0) throw new Error(`relt scan collect failed: ${said}`)
  return { cpuMs, peakMb }
}

/** CPU seconds of relt and all kubectl processes that have ended; the last ones known once it has ended itself. */
function cpuOf(pid: number, known: number): number {
  try {
    return ownCpu(pid, { children: true })
  } catch {
    return known
  }
}

/** Resident memory of a process and all that it started. Linux only. */
function treeMb(root: number): number {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? statusFor(name, 'PPid') : undefined
    if (parent !== undefined) parents.set(Number(name), parent)
  }
  const isOwn = (pid: number): boolean => pid === root || (parents.has(pid) && isOwn(parents.get(pid)!))
  const own = [...parents.keys()].filter(isOwn)
  return (own.reduce((sum, pid) => sum + (statusFor(String(pid), 'VmRSS') ?? 0), 0) * 1024) / 1e6
}

/** A number of `/proc/PID/status`; undefined when the process is gone. */
function statusFor(pid: string, name: string): number | undefined {
  try {
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return undefined
  }
}
