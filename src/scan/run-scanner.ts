import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { ReltError } from '../errors.ts'
import { needsConfigurationFile } from '../profiles/config-file.ts'
import { checkProfile, configurationFile, type Profile, type ScannerReportFormat } from '../profiles/index.ts'
import { type ProgramEnd, runProgram, withoutOurs } from '../util/exec.ts'
import { fileReason } from '../util/file-error.ts'
import { replaceWithCopy } from '../util/replace-file.ts'
import type { ScanEnv } from './environment.ts'
import { type Invocation, type Places, toInvocation } from './invocation.ts'
import { kubeconfigEnv } from './kubeconfig.ts'
import { createMask } from './mask.ts'
import { OutputLines } from './output-lines.ts'
import { findReport, type WrittenReport } from './report-file.ts'
import type { RunnerName } from './runner-name.ts'

export interface ScannerRun {
  profile: Profile
  runner: { name: RunnerName; file: string }
  env: ScanEnv
  /** Kubeconfig context (default: the current one). */
  context?: string | undefined
  signal: AbortSignal
  timeoutMs: number
  /** Folder to store the report files in; without it, only the content is returned. */
  keepIn?: string | undefined
  /** Tag of the scanner's image. */
  tag: string | undefined
  /** Time for the scanner to end after a signal. */
  graceMs?: number
  /** Called with each line it prints; secrets are masked, but control characters may remain. */
  onLine?: (line: string) => void
}

/**
 * Runs the scanner, and returns the report that it wrote. Throws `scan_failed` with its last lines, `cancelled` when
 * aborted, or an error about the profile.
 */
export async function runScanner(run: ScannerRun): Promise<WrittenReport> {
  const profile = ofScan(run.profile)
  checkProfile(profile)
  const keepIn = run.keepIn === undefined ? undefined : resolve(run.keepIn)
  if (keepIn !== undefined) makeFolder(keepIn)
  return inTemporaryFolder(run.env, async (folder) => {
    const places = preparePlaces(folder, profile, keepIn !== undefined)
    const env = kubeconfigEnv(run, folder)
    const { end, tail } = await start(toInvocation(run.runner, profile, places, { ...run, env }), { ...run, env })
    const written = toReport(end, tail, { ...run, folder: places.outputPath })
    return keepIn === undefined ? written : { ...written, file: keep(places.outputPath, keepIn, written.file) }
  })
}

/** Runs the work in a private folder, which is removed afterwards, also if the process is told to exit. */
async function inTemporaryFolder<T>(env: ScanEnv, work: (folder: string) => Promise<T>) {
  const folder = mkdtempSync(join(env.TMPDIR || tmpdir(), 'relt-scan-'))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', remove)
  try {
    return await work(folder)
  } finally {
    process.off('exit', remove)
    remove()
  }
}

/** relt uploads and compares the report itself, and the scan is non-interactive. */
function ofScan({ settings: { radar: _, ...settings }, ...profile }: Profile): Profile {
  return { ...profile, settings: { ...settings, output: { ...settings.output, yes: true } } }
}

function preparePlaces(folder: string, profile: Profile, keepsAll: boolean): Places {
  const outputPath = join(folder, 'reports')
  mkdirSync(outputPath, { mode: 0o700 })
  const { output = {} } = profile.settings
  const others = (['html', 'txt', 'csv'] as const).filter((format) => keepsAll && output[`${format}Report`])
  const formats: ScannerReportFormat[] = ['json', ...others]
  if (!needsConfigurationFile(profile)) return { outputPath, formats }
  const { filename, content } = configurationFile(profile)
  const configPath = join(folder, filename)
  writeFileSync(configPath, content, { flag: 'wx', mode: 0o600 })
  return { outputPath, configPath, formats }
}

async function start(invocation: Invocation, { signal, timeoutMs, graceMs, onLine, ...run }: ScannerRun) {
  const { file, args, credentials, stop } = invocation
  const lines = new OutputLines(createMask(run.env, credentials), onLine)
  const env = withoutOurs(run.env)
  const [stdout, stderr] = [lines.stream(), lines.stream()]
  const watch = { signal, timeoutMs, ...(graceMs !== undefined && { graceMs }) }
  const end = await runProgram({ file, args, env }, { ...watch, onStdout: stdout.write, onStderr: stderr.write })
  stdout.end()
  stderr.end()
  if (stop && end.how !== 'done') await runProgram({ file, args: stop, env }, { timeoutMs: 30_000 })
  return { end, tail: lines.tail }
}

function toReport(end: ProgramEnd, tail: string[], { folder, runner, timeoutMs }: ScannerRun & { folder: string }) {
  if (end.how === 'cancelled') throw new ReltError('cancelled', 'The scan was cancelled.')
  if (end.how === 'timeout') {
    throw scanFailed(`The scanner did not end within ${Math.round(timeoutMs / 1000)} seconds.`, tail, {
      hint: 'Raise --timeout, or check its last lines for what it waits for.',
    })
  }
  if (end.how === 'error') {
    throw scanFailed(`${runner.file} cannot be run: ${end.error}.`, tail, { hint: 'Check the setup: relt doctor' })
  }
  if (end.how === 'failed') {
    const why = end.signal === undefined ? `with exit code ${end.exitCode}` : `by ${end.signal}`
    throw scanFailed(`The scanner ended ${why}.`, tail, {
      hint: isKilled(end)
        ? 'Systems kill programs when memory runs out: raise its memory limit, or exclude namespaces.'
        : 'Check its last lines, and whether the cluster is reachable.',
    })
  }
  const report = findWhole(folder, tail)
  if (report) return report
  throw scanFailed('The scanner succeeded but wrote no report.', tail, {
    hint: 'Check its last lines, or run it yourself: relt profiles command',
  })
}

/** A shell reports a signal that killed its program as 128 plus its number. */
const isKilled = ({ signal, exitCode }: ProgramEnd) => signal === 'SIGKILL' || exitCode === 128 + 9

function findWhole(folder: string, tail: string[]) {
  try {
    return findReport(folder)
  } catch (cause) {
    if (!(cause instanceof ReltError)) throw cause
    throw scanFailed(cause.message, tail, {
      hint: 'Check for free disk space, then run the scan again.',
      cause,
    })
  }
}

function scanFailed(message: string, output: string[], details: { hint: string; cause?: unknown }) {
  return new ReltError('scan_failed', message, { ...details, output: [...output] })
}

function makeFolder(folder: string) {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    throw new ReltError('usage', `${folder} cannot be created: ${fileReason(cause)}.`, {
      hint: 'Choose another folder with --out.',
      cause,
    })
  }
}

/** Moves all files of the scanner. Returns the path of the JSON report. */
function keep(from: string, to: string, report: string) {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isFile()) replaceWithCopy(join(from, entry.name), join(to, entry.name))
  }
  return join(to, basename(report))
}
