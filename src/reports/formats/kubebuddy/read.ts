import { findingSeverities } from '../../../contract/choices.ts'
import { defined } from '../../../util/defined.ts'
import type { ImageArtifact, OwnerLink } from '../../artifact.ts'
import { imageOfFinding, readArtifacts } from '../../artifacts.ts'
import type { ReportCheck } from '../../check.ts'
import { ClusterNames } from '../../cluster-names.ts'
import { FindingIndexer } from '../../finding-index.ts'
import type { Guidance } from '../../guidance.ts'
import { wholeCluster } from '../../ledger.ts'
import { countFindings, type Report, readReport } from '../../read.ts'
import { namesIn } from '../../reported-names.ts'
import { readAksReadiness, readRiskPaths } from '../../risk-paths.ts'
import type { Scan } from '../../scan.ts'

export function readKubebuddy(bytes: Uint8Array, owners: OwnerLink[] = []): Scan {
  const images: ImageArtifact[] = []
  const indexer = new FindingIndexer(new ClusterNames({ ...namesIn(bytes), owners }))
  const advised: ReportCheck[] = []
  const report = readReport(bytes, (unread) => {
    const check = indexer.add(unread, (item, raw) => {
      const image = imageOfFinding(unread, item, raw)
      if (image) images.push(image)
    })
    if (check.failed || unread.suppressed.length > 0) advised.push(check)
    return check
  })
  const { checks, score, gaps } = report
  return {
    format: 'kubebuddy',
    subjects: [wholeCluster],
    clusterName: report.clusterName,
    generatedAt: report.generatedAt,
    score: score === undefined ? undefined : { value: score, source: 'scanner' },
    totalChecks: checks.length + gaps.length,
    failedChecks: checks.filter((check) => check.failed).length,
    checksNotRun: [
      ...checks.flatMap(({ id, name, notRun, severity, weight }) =>
        notRun === undefined ? [] : { id, name, reason: notRun, severity, ...defined({ weight }) },
      ),
      ...gaps.map(({ kind, reason }) => ({ id: kind, name: kind, reason })),
    ],
    findings: countFindings(checks),
    scope: gaps.length > 0 ? { ...report.scope, unreadKinds: gaps } : report.scope,
    artifacts: readArtifacts(report, images),
    index: indexer.finish(),
    guidance: guidanceFor(report, advised),
  }
}

function guidanceFor(
  { checks, directRiskPaths, combinedRiskPaths, aksReadiness }: Report,
  advised: ReportCheck[],
): Guidance {
  const weights = checks.flatMap(({ weight }) => weight ?? [])
  return {
    checks: advised.map(({ id, name, severity, weight = null, total, recommendation = null, url = null }) => ({
      id,
      name,
      weight,
      rows: findingSeverities.map((each) => (each === severity ? total : 0)),
      recommendation,
      url,
    })),
    totalWeight: weights.length > 0 ? weights.reduce((sum, weight) => sum + weight, 0) : null,
    riskPaths: readRiskPaths(directRiskPaths, combinedRiskPaths),
    aksReadiness: readAksReadiness(aksReadiness),
  }
}
