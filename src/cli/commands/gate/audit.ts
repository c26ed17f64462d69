import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import type { ExceptionUse, ExceptionUses } from '../../../gate/exception.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { judge } from '../../../submit/judge.ts'
import { shortFingerprint } from '../../../views/finding.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { note } from '../../output/remarks.ts'
import { showSteps } from '../../output/steps.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { addClusterOptions } from '../reports/cluster.ts'
import { findRunId, runForms } from '../reports/find-run.ts'
import type { CheckOptions } from './check.ts'
import { addGateOptions, loadPolicy } from './options.ts'

export function createCommand(context: Context, run = runAudit): Command {
  const command = newCommand('audit', 'List used, unused and expired exceptions of the policy file and the server', [
    'relt gate audit',
    'relt gate audit --policy relt.yaml --cluster prod-eu --json',
  ])
  return addGateOptions(addClusterOptions(command))
    .argument('[run]', `${runForms} (default: the latest run)`)
    .action((runId, options, command) => run(cliOf(context, command), runId, options))
}

type Row = Omit<ExceptionUse, 'reason' | 'expires'> & {
  state: keyof ExceptionUses
  reason?: string
  expires?: string
  /** An entry of accept_not_run. */
  isOfCheckNotRun?: boolean
}

export async function runAudit(cli: Cli, id: string | undefined, options: CheckOptions): Promise<void> {
  const { context, io } = cli
  const policy = await loadPolicy(options)
  const client = await context.client()
  const run_id = await findRunId(cli, id, options)
  const { onProgress } = showSteps(io)
  const { result } = await judge({ client, now: context.now, onProgress }, policy, { run_id })
  const { exceptions, accept_not_run, remarks } = result
  await show<Row>(cli, {
    body: { run_id, ...exceptions, accept_not_run, ...(remarks && { remarks }) },
    rows: (['expired', 'unused', 'used'] as const).flatMap((state) => [
      ...exceptions[state].map((exception) => ({ ...exception, state })),
      ...accept_not_run[state].map((accepted) => ({ ...accepted, state, isOfCheckNotRun: true })),
    ]),
    columns,
    remarks: (remarks ?? []).map(note),
    empty: 'Neither the policy file nor the server has exceptions.',
  })
  for (const { rule, verdict, reason } of result.rules) {
    if (verdict === 'undecided')
      io.err(`${rule} is undecided, so its exceptions do not show as used: ${plain(reason)}\n`)
  }
}

const columns = ({ isTerminal }: Io): Column<Row>[] => [
  { title: 'State', value: ({ state }) => state },
  { title: 'Matches', value: (row) => meets(row, isTerminal ? shortFingerprint : undefined), min: 16 },
  { title: 'Matched', value: ({ matched }) => String(matched), align: 'right' },
  { title: 'Until', value: ({ expires }) => expires ?? '', min: 10 },
  { title: 'Reason', value: ({ reason }) => reason ?? '', min: 12 },
  { title: 'Source', value: ({ source }) => source, min: 10, from: 100 },
]

function meets(
  { fingerprint, check, namespace, resource, advisory, artifact, isOfCheckNotRun }: Row,
  fingerprintLength?: number,
): string {
  if (isOfCheckNotRun) return `not run: ${check}`
  if (fingerprint !== undefined) return fingerprint.slice(0, fingerprintLength)
  const parts = { check, namespace, resource, advisory, artifact }
  return Object.entries(parts)
    .flatMap(([name, pattern]) => (pattern === undefined ? [] : `${name}=${pattern}`))
    .join(' ')
}
