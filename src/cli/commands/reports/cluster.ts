import type { Command } from 'commander'
import type { ReceivedRun } from '../../../contract/received/cluster-report.ts'

export interface ClusterOptions {
  cluster?: string
  environment?: string
}

/** Without them the cluster of the latest upload is meant. */
export function addClusterOptions(command: Command, environment = 'that of the latest run'): Command {
  return command
    .option('-c, --cluster <name>', 'cluster (default: the last one uploaded)')
    .option('-e, --environment <name>', `environment of the cluster (default: ${environment})`)
}

export function clusterQuery({ cluster, environment }: ClusterOptions) {
  return { ...(cluster && { cluster_name: cluster }), ...(environment && { environment }) }
}

/** Time at which a run's scan ended, if known. */
export function scannedAt(run: ReceivedRun): string | null {
  return run.finished_at ?? run.started_at ?? run.ingested_at
}

/** Message for an empty result. */
export function noReports({ cluster, environment }: ClusterOptions): string {
  if (!cluster && !environment) return 'No reports yet. Upload one: relt reports upload FILE'
  const where = [cluster && `cluster ${cluster}`, environment && `environment ${environment}`].filter(Boolean)
  return `No reports for ${where.join(', ')}.`
}
