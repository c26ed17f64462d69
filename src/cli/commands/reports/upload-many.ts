import { errorTable, exitCodeFor, ReltError } from '../../../errors.ts'
import { paint } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { scannedAt } from '../../../reports/run-subject.ts'
import { readReportFile } from '../../../submit/read-report-file.ts'
import { parseTimestamp } from '../../../util/time.ts'
import { count } from '../../../util/words.ts'
import { triedTone } from '../../../views/outcome.ts'
import { titles } from '../../../views/titles.ts'
import { member, show } from '../../output/output.ts'
import { withProgressBar } from '../../output/progress-bar.ts'
import type { Cli } from '../../program/command.ts'
import { loadPolicy, wantsGate } from '../gate/options.ts'
import { submitFile, type UploadAndShowOptions } from './upload.ts'

/** Outcome of one of several files. */
interface FileOutcome {
  file: string
  state: 'stored' | 'already stored' | 'queued' | 'failed'
  run_id: string | null
  cluster_name: string | null
  environment: string | null
  scanned_at: string | null
  score: number | null
  verdict: 'passed' | 'failed' | 'undecided' | null
  error: { code: string; message: string } | null
}

/** Exit codes from least to most urgent. */
const urgency = [6, 5, 7, 3, 4, 2, 1]

/**
 * Uploads several reports, oldest scan first, so that each is compared with its predecessor. A failure does not stop the
 * others. Throws at the end, with the most urgent code.
 */
export async function runUploadMany(cli: Cli, given: string[], options: UploadAndShowOptions) {
  refuseOneFileOptions(given, options)
  const policy = wantsGate(options) ? await loadPolicy(options, cli.context) : undefined
  const files = [...new Set(given)]
  const failures: unknown[] = []
  const outcomes: FileOutcome[] = []
  await withProgressBar(cli.io, async (showProgress) => {
    for (const file of await inOrderOfScan(cli, files)) {
      showProgress(outcomes.length, files.length, file)
      try {
        const outcome = await uploadOne(cli, file, options, policy)
        if (outcome.verdict === 'failed') failures.push(new ReltError('gate_failed', ''))
        if (outcome.verdict === 'undecided') failures.push(new ReltError('gate_undecided', ''))
        outcomes.push(outcome)
      } catch (error) {
        if (error instanceof ReltError && error.code === 'cancelled') throw error
        failures.push(error)
        outcomes.push(failed(file, error as Error))
      }
    }
  })
  await show(cli, {
    body: { success: failures.length === 0, items: outcomes },
    rows: outcomes,
    columns: (io) =>
      toColumns(outcomes, (text, { state }) => (state === 'failed' ? paint(io, triedTone(false))(text) : text)),
  })
  throwWorst(failures, files.length)
}

function refuseOneFileOptions(files: string[], { compare, startedAt, finishedAt }: UploadAndShowOptions) {
  const forOne = { '--compare': compare || undefined, '--started-at': startedAt, '--finished-at': finishedAt }
  const [option] = Object.entries(forOne).find(([, given]) => given !== undefined) ?? []
  if (option) {
    throw new ReltError('usage', `${option} is about one report, and several files are given.`, {
      hint: 'Upload that report alone.',
    })
  }
  if (files.includes('-')) throw new ReltError('usage', 'Standard input cannot be one of several files.')
}

/** Sorted by scan time; files without one, or unreadable ones, come last in the given order. */
async function inOrderOfScan({ context }: Cli, files: string[]) {
  const { readScan } = await import('../../../reports/formats/index.ts')
  const timed = await Array.fromAsync(files, async (file) => {
    const at = await readReportFile(context, file)
      .then(async ({ report, envelope: { run, format } }) => {
        const stated = run?.finished_at ?? run?.started_at
        return (stated ? parseTimestamp(stated) : undefined) ?? (await readScan(report, format)).generatedAt
      })
      .catch(() => undefined)
    return { file, at: at ?? Number.POSITIVE_INFINITY }
  })
  return timed.sort((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({ file }) => file)
}

async function uploadOne(
  cli: Cli,
  file: string,
  options: UploadAndShowOptions,
  policy: Awaited<ReturnType<typeof loadPolicy>> | undefined,
): Promise<FileOutcome> {
  const { submitted, outcome, report } = await submitFile(
    { ...cli, io: { ...cli.io, errCanRedraw: false } },
    file,
    options,
  )
  const { review } = await import('../../../submit/review.ts')
  const { run, gate } = await review(submitted, outcome, { report, compare: false, policy, run: true })
  return {
    file,
    state: outcome.spooled ? 'queued' : outcome.uploaded.duplicate ? 'already stored' : 'stored',
    run_id: outcome.uploaded?.run_id ?? null,
    cluster_name: run?.cluster_name ?? null,
    environment: run?.environment ?? null,
    scanned_at: run ? scannedAt(run) : null,
    score: run?.score ?? null,
    verdict: gate?.result.verdict ?? null,
    error: null,
  }
}

function failed(file: string, error: Error): FileOutcome {
  const code = error instanceof ReltError ? error.code : 'internal'
  const params = error instanceof ReltError ? Object.values(error.params ?? {}) : []
  return {
    file,
    state: 'failed',
    run_id: null,
    cluster_name: null,
    environment: null,
    scanned_at: null,
    score: null,
    verdict: null,
    error: { code: errorTable[code].wire, message: [error.message, ...params].join(' ') },
  }
}

function toColumns(outcomes: FileOutcome[], style: NonNullable<Column<FileOutcome>['style']>): Column<FileOutcome>[] {
  const isJudged = outcomes.some(({ verdict }) => verdict !== null)
  const hasFailed = outcomes.some(({ error }) => error !== null)
  return [
    { title: 'File', value: member('file'), min: 16 },
    { title: titles.state, value: ({ state }) => state, style },
    { title: titles.run, value: member('run_id'), from: 100 },
    { title: titles.cluster, value: member('cluster_name'), min: 8 },
    { title: titles.environment, value: member('environment'), min: 6, from: 100 },
    { title: titles.scanned, value: member('scanned_at') },
    { title: titles.score, value: member('score'), align: 'right' },
    ...(isJudged ? [{ title: titles.gate, value: ({ verdict }: FileOutcome) => verdict }] : []),
    ...(hasFailed ? [{ title: 'Error', value: ({ error }: FileOutcome) => error?.message ?? '', min: 20 }] : []),
  ]
}

function throwWorst(failures: unknown[], total: number) {
  if (failures.length === 0) return
  const rank = (error: unknown) => urgency.indexOf(exitCodeFor(error))
  const worst = failures.reduce((a, b) => (rank(b) > rank(a) ? b : a))
  const code = worst instanceof ReltError ? worst.code : 'internal'
  const verb = code === 'gate_failed' || code === 'gate_undecided' ? 'did not pass the gate' : 'failed'
  throw new ReltError(code, `${failures.length} of ${count(total, 'file')} ${verb}.`, { cause: worst })
}
