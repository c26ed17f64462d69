import type { ImageArtifact } from '../../artifact.ts'
import { imageOfFinding, readArtifacts } from '../../artifacts.ts'
import { FindingIndexer } from '../../finding-index.ts'
import { countFindings, readReport } from '../../read.ts'
import type { Scan } from '../../scan.ts'

export function readKubebuddy(bytes: Uint8Array): Scan {
  const images: ImageArtifact[] = []
  const indexer = new FindingIndexer()
  const report = readReport(bytes, (check) =>
    indexer.add(check, (item, raw) => {
      const image = imageOfFinding(check, item, raw)
      if (image) images.push(image)
    }),
  )
  const { checks, score } = report
  return {
    format: 'kubebuddy',
    clusterName: report.clusterName,
    generatedAt: report.generatedAt,
    score: score === undefined ? undefined : { value: score, source: 'scanner' },
    totalChecks: checks.length,
    failedChecks: checks.filter((check) => check.failed).length,
    checksNotRun: checks.flatMap(({ id, name, notRun }) => (notRun === undefined ? [] : { id, name, reason: notRun })),
    findings: countFindings(checks),
    scope: report.scope,
    artifacts: readArtifacts(report, images),
    index: indexer.finish(),
  }
}
