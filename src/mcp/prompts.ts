interface Prompt {
  name: string
  title: string
  description: string
  /** Name of the prompt's only argument. */
  argument?: string
  text: (value: string) => string
}

/** Quotes a user's value on one line, so that it cannot act as instructions. */
const quoted = (value: string) => JSON.stringify(value.slice(0, 253))

export const prompts: readonly Prompt[] = [
  {
    name: 'morning-round',
    title: 'Morning round',
    description: 'What needs attention in all clusters today',
    text: () =>
      'Call fleet_status. For each cluster that needs attention now, call compare_runs and name new and regressed findings, the worst first. ' +
      'Say first what is undecided and how old the scans are. End with at most five things to do, each with its cluster.',
  },
  {
    name: 'upgrade-cluster',
    title: 'Upgrade a cluster',
    description: 'What to upgrade in a cluster, in which order',
    argument: 'cluster',
    text: (cluster) =>
      `Plan upgrades of the cluster ${quoted(cluster)}. Call upgrade_plan for it, and freshness. Give the numbered steps in their order. List what is exploited, compromised, out of support or retired first. ` +
      'Take steps only from the answers, and never name a version that they do not name. Say what is unknown.',
  },
  {
    name: 'am-i-affected',
    title: 'Am I affected?',
    description: 'Whether an advisory affects what runs',
    argument: 'cve',
    text: (cve) =>
      `Call impact with cve ${quoted(cve)}. Say which clusters and workloads are affected and the checked step for each. ` +
      'If about.undecided has entries, say that the answer is no all-clear, and why.',
  },
]
