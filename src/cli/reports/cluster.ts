import type { Command } from 'commander'

export interface ClusterOptions {
  cluster?: string
  environment?: string
}

/** Without them the cluster of the latest upload is meant. */
export function addClusterOptions(command: Command): Command {
  return command
    .option('-c, --cluster <name>', 'cluster (default: the one uploaded last)')
    .option('-e, --environment <name>', 'environment of the cluster')
}

export function clusterQuery({ cluster, environment }: ClusterOptions) {
  return { ...(cluster && { cluster_name: cluster }), ...(environment && { environment }) }
}

/** What is said where there is nothing to show. */
export function noReports({ cluster, environment }: ClusterOptions): string {
  if (!cluster && !environment) return 'No reports yet. Upload one: relt reports upload FILE'
  const where = [cluster && `cluster ${cluster}`, environment && `environment ${environment}`].filter(Boolean)
  return `No reports of ${where.join(', ')}.`
}
