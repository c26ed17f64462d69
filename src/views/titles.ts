/** Titles of columns that occur in more than one answer, for all media. `--columns` and `--sort-by` use them. */
export const titles = {
  ...{ accepted: 'Accepted', account: 'Account', action: 'Action', advisories: 'Advisories', advisory: 'Advisory' },
  ...{ affected: 'Affected', affects: 'Affects', artifact: 'Artifact', artifacts: 'Artifacts', attempts: 'Attempts' },
  ...{ behind: 'Behind', by: 'By', category: 'Category', certain: 'Certain', change: 'Change', changed: 'Changed' },
  ...{ changes: 'Changes', channel: 'Channel', channels: 'Channels', chart: 'Chart', check: 'Check', checks: 'Checks' },
  ...{ cluster: 'Cluster', clusters: 'Clusters', confidence: 'Confidence', contact: 'Contact', created: 'Created' },
  ...{ critical: 'Critical', current: 'Current', days_behind: 'Days behind', description: 'Description' },
  ...{
    detail: 'Detail',
    email: 'Email',
    environment: 'Environment',
    excepted: 'Excepted',
    expires: 'Expires',
    facts_of: 'Facts of',
  },
  ...{ exploited: 'Exploited', failed: 'Failed', failed_checks: 'Failed checks', findings: 'Findings', first: 'First' },
  ...{ first_seen: 'First seen', fix: 'Fix', fixed_in: 'Fixed in', follow: 'Follow', found: 'Found', gate: 'Gate' },
  ...{ id: 'ID', impact: 'Impact', job: 'Job', kind: 'Kind', kubernetes: 'Kubernetes', labels: 'Labels' },
  ...{ last_outcome: 'Last outcome', last_used: 'Last used', latest: 'Latest', matched: 'Matched', matches: 'Matches' },
  ...{ member: 'Member', message: 'Message', name: 'Name', namespace: 'Namespace', new: 'New', newest: 'Newest' },
  ...{ next: 'Next', not_run: 'Not run', note: 'Note', outcome: 'Outcome', owner: 'Owner', part: 'Part' },
  ...{ password: 'Password', project: 'Project', published: 'Published', reason: 'Reason', regressed: 'Regressed' },
  ...{ releases: 'Releases', releases_behind: 'Releases behind', request: 'Request', resource: 'Resource' },
  ...{ risk_path: 'Risk path', role: 'Role', rule: 'Rule', run: 'Run', runs: 'Runs', scanned: 'Scanned' },
  ...{ scanner: 'Scanner', scope: 'Scope', score: 'Score' },
  ...{ score_out_of_100: 'Score out of 100', security: 'Security', server: 'Server', severity: 'Severity' },
  ...{ since: 'Since', source: 'Source', state: 'State', states: 'States', status: 'Status', step: 'Step' },
  ...{ stored: 'Stored', subject: 'Subject', support: 'Support', team: 'Team', time: 'Time', to: 'To', trend: 'Trend' },
  ...{ type: 'Type', until: 'Until', upgrade_to: 'Upgrade to', url: 'URL', value: 'Value', verdict: 'Verdict' },
  ...{ version: 'Version', what: 'What', where: 'Where', workload: 'Workload', workloads: 'Workloads' },
} as const

/** A column's key and title. */
export const titled = (key: keyof typeof titles) => ({ key, title: titles[key] })
