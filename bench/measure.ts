import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One line of the result: what was measured against what. Both sides are measured in the same run. */
export interface Figure {
  name: string
  ours: number
  base: number
  unit: 'ms' | 'MB' | '%' | 'bytes'
  /** A limit that does not depend on what relt takes today. Without it, the bound is in `bounds.json`. */
  atMost?: number
  /** Shown without a bound. */
  isUnbounded?: true
}

export interface Command {
  argv: string[]
  env?: Record<string, string>
}

/** The Node that relt runs on, the same for both sides of a ratio. */
export const node = process.execPath

export function relt(...argv: string[]): string[] {
  return [node, 'bin/relt.js', ...argv]
}

/** Medians in ms of commands run in turn, A B A B …, so that a change of the machine's mood meets all alike. */
export function runInTurn(commands: Command[], runs: number, warmups = 2): number[] {
  const times = commands.map(() => [] as number[])
  for (let run = 0; run < warmups + runs; run++) {
    commands.forEach((command, i) => {
      const { ms } = runOnce(command)
      if (run >= warmups) times[i]!.push(ms)
    })
  }
  return times.map(median)
}

/** Of this process. Its `maxRSS` begins with that of the process that started it; this does not. Linux only. */
export function ownPeakMb(): number {
  return (Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]) * 1024) / 1e6
}

/** The same in a program that loads nothing else. */
const reportUsage = `import { readFileSync } from 'node:fs'
process.on('exit', () => {
  const peakKb = Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  process.stderr.write('usage ' + JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMb: peakKb * 1024 / 1e6 }))
})`

interface Usage {
  /** Of all threads. */
  cpuMs: number
  peakMb: number
}

/** What a relt command takes. */
export function usageOf(args: string[], env: Record<string, string>): Usage {
  return usageOfNode(relt(...args).slice(1), env)
}

/** The floor of every command: a Node that does nothing. */
export function usageOfBareNode(): Usage {
  const usages = Array.from({ length: 9 }, () => usageOfNode(['-e', '0'], {}))
  return { cpuMs: median(usages.map(({ cpuMs }) => cpuMs)), peakMb: median(usages.map(({ peakMb }) => peakMb)) }
}

function usageOfNode(args: string[], env: Record<string, string>): Usage {
  const program = `data:text/javascript,${encodeURIComponent(reportUsage)}`
  const { stderr } = runOnce({ argv: [node, '--import', program, ...args], env })
  return JSON.parse(/usage (.*)$/.exec(stderr)![1]!)
}

/** Throws when the command fails. */
export function runOnce({ argv: [file, ...args], env }: Command): { ms: number; stdout: string; stderr: string } {
  const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env
  const started = performance.now()
  const child = spawnSync(file!, args, {
    env: { ...inherited, RELT_KEYCHAIN: 'off', ...env },
    maxBuffer: 1 << 30,
    encoding: 'utf8',
  })
  const ms = performance.now() - started
  if (child.status !== 0) throw new Error(`${[file, ...args].join(' ')} failed: ${child.error ?? child.stderr}`)
  return { ms, stdout: child.stdout, stderr: child.stderr }
}

export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** Runs with a folder that is gone afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T> | T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'relt-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
