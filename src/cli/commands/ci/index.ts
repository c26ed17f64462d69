import type { CiFinding } from '../../../ci/report.ts'
import type { ReceivedComparison, ReceivedRun } from '../../../contract/received/cluster-report.ts'
import type { Finding } from '../../../contract/scan-finding.ts'
import { Exceptions, exceptionsOfRun, sourceText } from '../../../gate/exception.ts'
import type { Policy } from '../../../gate/policy.ts'
import { type ListedFinding, listFindings } from '../../../reports/list-findings.ts'
import { review } from '../../../submit/review.ts'
import { formatDay } from '../../../util/time.ts'
import { verb } from '../../program/verb.ts'
import { gateOptions, loadPolicy } from '../gate/options.ts'
import { outputOptions, writeOutputs } from '../gate/outputs.ts'
import { requirePassed } from '../gate/verdict.ts'
import { showOutcome } from '../reports/show-outcome.ts'
import { submitFile, uploadOptions } from '../reports/upload.ts'

const options = {
  ...uploadOptions,
  ...gateOptions,
  ...outputOptions,
} as const

export default verb({
  examples: [
    'relt ci report.json --fail-on "new>=high" --fail-on "score-drop>5"',
    'relt ci report.json --policy relt.yaml --junit relt.xml --sarif relt.sarif',
    'relt ci report.json --offline-ok --fail-on "findings>=critical"',
    'relt ci report.json --cluster prod-eu --fail-on kubernetes-eol --code-quality gl-code-quality.json',
    'relt ci report.json --policy relt.yaml --comment',
  ],
  args: [['<file>', 'JSON report of a scanner, plain or gzipped; - for standard input']],
  options,
  run: async (cli, file, options) => {
    const { context } = cli
    const policy = await loadPolicy(options, context)
    const { submitted, outcome, report } = await submitFile(cli, file, options, policy)
    const reviewed = await review(submitted, outcome, { report, policy, run: true })
    const { run, comparison } = reviewed
    const { evidence, result } = reviewed.gate
    // The policy with exceptions stored on the server.
    const judged = { ...reviewed.gate.policy, exceptions: exceptionsOfRun(reviewed.gate.policy.exceptions, run) }
    const members = { ci: run.ci, ...toFigures(run, comparison), ...result }
    await showOutcome(cli, { outcome, review: reviewed, members })
    const today = formatDay(context.now())
    const { comment, summary, junit, sarif, codeQuality } = options
    const outputs = [comment, summary, junit, sarif, codeQuality, context.env.GITHUB_STEP_SUMMARY]
    const freshness =
      evidence.freshness ??
      (outputs.some(Boolean) && !outcome.spooled
        ? await submitted.client.call('reportFreshness', { params: { run_id: run.run_id } })
        : undefined)
    await writeOutputs(context, options, { run, comparison, result, freshness }, async () => {
      const findings = evidence.findings ?? (await listFindings(report, run.format))
      return [
        ...ciFindings(findings, comparison, judged, today),
        ...(run.risk_paths
          ? (await import('../../../ci/risk-path-findings.ts')).riskPathFindings(run, comparison)
          : []),
        ...(freshness
          ? (await import('../../../ci/advisory-findings.ts')).advisoryFindings(freshness, judged, today)
          : []),
      ]
    })
    if (options.html) {
      const { writeSubmitted } = await import('../reports/write-submitted.ts')
      await writeSubmitted(context, options.html, { outcome, report, judgement: reviewed.gate })
    }
    if (options.comment) {
      const { commentOnRequest } = await import('./comment.ts')
      await commentOnRequest(cli, { run, comparison, result, freshness })
    }
    requirePassed(result)
  },
})

/** All findings of a run with their state since the previous run, and their suppression. */
function ciFindings(
  findings: ListedFinding[],
  comparison: ReceivedComparison | undefined,
  policy: Policy,
  today: string,
): CiFinding[] {
  const exceptions = new Exceptions(policy.exceptions, today)
  const fingerprints = (list: { fingerprint: string | null }[] = []) => new Set(list.map((each) => each.fingerprint))
  const came = fingerprints(comparison?.new_findings)
  const updated = fingerprints([...(comparison?.regressed_findings ?? []), ...(comparison?.changed_findings ?? [])])
  const baselineFor = (fingerprint: string) =>
    came.has(fingerprint) ? 'new' : updated.has(fingerprint) ? 'updated' : 'unchanged'
  return findings.map(({ suppressed, recommendation = null, url = null, ...finding }) => ({
    ...finding,
    help: recommendation,
    helpUri: url,
    baseline: comparison && baselineFor(finding.fingerprint),
    suppression: suppressed ? { kind: 'inSource', reason: suppressed.reason } : byException(exceptions, finding),
  }))
}

function byException(exceptions: Exceptions, finding: Finding): CiFinding['suppression'] {
  const exception = exceptions.forFinding(finding)
  return exception && { kind: 'external', reason: exception.reason, source: sourceText(exception) }
}

/** Outputs for later steps of a pipeline; null if unknown. */
function toFigures({ score }: ReceivedRun, comparison: ReceivedComparison | undefined) {
  const added = comparison && (comparison.new_findings_count ?? comparison.new_findings.length)
  return { score, new_findings_count: added ?? null }
}
