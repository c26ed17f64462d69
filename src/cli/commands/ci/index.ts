import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { listFindings } from '../../../reports/list-findings.ts'
import { formatTimestamp } from '../../../util/time.ts'
import { show } from '../../output/output.ts'
import { withProgress } from '../../output/progress.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { ciFindings } from '../gate/ci-findings.ts'
import { judgeRun, judgeUnsent } from '../gate/gather.ts'
import { addGateOptions, type GateOptions, loadPolicy } from '../gate/options.ts'
import { addOutputOptions, type OutputOptions, writeOutputs } from '../gate/outputs.ts'
import { requirePassed } from '../gate/verdict.ts'
import { renderGate } from '../gate/view.ts'
import { renderRun } from '../reports/run-view.ts'
import { addUploadOptions, storeReport, type UploadOptions } from '../reports/upload.ts'
import { bodyOfKept } from '../spool/kept-view.ts'

export type CiOptions = UploadOptions & GateOptions & OutputOptions

export function createCommand(context: Context, run = runCi): Command {
  const command = newCommand('ci', 'In a pipeline: store a report, decide by the rules, and write what the CI shows', [
    'relt ci report.json --fail-on "new>=high" --fail-on "score<80"',
    'relt ci report.json --policy relt.yaml --junit relt.xml --sarif relt.sarif',
    'relt ci report.json --offline-ok --fail-on "findings>=critical"',
    'relt ci report.json --cluster prod-eu --first-run pass --fail-on kubernetes-eol --code-quality gl-code-quality.json',
  ]).argument('<file>', 'JSON report of the scanner, plain or gzip; - for standard input')
  return addOutputOptions(addGateOptions(addUploadOptions(command))).action((file, options, command) =>
    run(cliOf(context, command), file, options),
  )
}

export async function runCi(cli: Cli, file: string, options: CiOptions): Promise<void> {
  const { context, io } = cli
  const policy = await loadPolicy(options)
  const { outcome, report, client } = await storeReport(cli, file, options)
  const { uploaded, kept } = outcome
  const now = context.now()
  const { evidence, result } = await withProgress(io, 'Judging', () =>
    kept
      ? judgeUnsent(policy, { run: kept.run, now, report })
      : judgeRun(client, policy, { run_id: uploaded.run_id, now, report }),
  )
  const { run, comparison } = evidence
  await show(cli, {
    body: { ...(kept ? bodyOfKept(kept) : uploaded), ci: run.ci, ...result },
    text: () => `${run.run_id}\n${renderRun(io, run)}${renderGate(io, result)}`,
  })
  await writeOutputs(context, options, { run, comparison, result }, async () => {
    const findings = evidence.findings ?? (await listFindings(report, run.format ?? 'auto'))
    return ciFindings(findings, comparison, policy, formatTimestamp(now).slice(0, 10))
  })
  requirePassed(result)
}
