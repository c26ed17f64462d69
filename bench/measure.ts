import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One line of the result: what was measured against what, and the bound it must keep, if any. */
export interface Figure {
  name: string
  ours: number
  base: number
  unit: 'ms' | 'MB' | '%' | 'bytes'
  /** Undefined for what is told and not bounded. */
  atMost?: number
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

const reportUsage = 'process.on("exit", () => process.stderr.write("usage " + JSON.stringify(process.resourceUsage())))'

/** CPU time of all threads of a relt command, and its peak memory. */
export function usageOf(args: string[], env: Record<string, string>): { cpuMs: number; peakMb: number } {
  const [file, ...rest] = relt(...args)
  const { stderr } = runOnce({ argv: [file!, '--import', `data:text/javascript,${reportUsage}`, ...rest], env })
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(/usage (.*)$/.exec(stderr)![1]!)
  return { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMb: (maxRSS * 1024) / 1e6 }
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
