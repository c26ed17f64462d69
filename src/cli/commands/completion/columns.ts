/**
 * Column titles of each command with a table, for the values of `--columns` and `--sort-by`. A command knows its columns
 * only after a request to the server, which completion must not make. A test compares them with the commands' output.
 */
export const toColumns: Readonly<Record<string, string>> = {
  'reports list':
    'run environment scanned scanner score failed failed_checks checks not_run findings critical kubernetes images gate',
  'reports compare': 'change severity previous_severity check namespace resource message count',
  'reports trends': 'cluster environment scanner scanned score findings failed_checks',
  'reports freshness':
    'status type artifact runs same_line newest releases_behind days_behind facts_of reason at_least end_of_life advisories worst fixed_in managed_by states step next_line exploited cluster environment',
  status: 'cluster environment scanner score change change_comparable trend scanned new regressed behind attention',
  'clusters versions': 'cluster environment version step artifact releases_behind days_behind workloads scanned',
  impact:
    'cluster environment project artifact runs upgrade_to severity certain namespaces workloads advisories fixed_in step exploited states',
  'profiles list': 'id name cluster provider changed',
  'exceptions list': 'id until matches matched reason by since',
  'projects list': 'id name latest published status description',
  'projects search': 'id name latest published status description',
  'projects releases': 'version published security url',
  'catalog status': 'project source health answered changed reason',
  'catalog coverage': 'project releases charts first complete_since as_of advisories advisories_as_of basis',
  'catalog advisories list': 'advisory project severity score published affected',
  'subs list': 'id project latest published channels labels',
  'feed show': 'project version type published security',
  'labels list': 'id label color subscriptions',
  'keys list': 'uuid name scope created expires last_used',
  'auth status': 'name server user secret scope expires works',
  'config list': 'key value description',
  'spool list': 'id queued cluster server state attempts last_error',
  'agent history': 'due job outcome score gate run detail',
  'agent list': 'host version last_heartbeat jobs failed uploads_waiting',
  'admin users list': 'name plan role keys password created email',
  'admin teams list': 'name members clusters runs profiles created',
  'admin audit': 'time account action subject request',
  'teams list': 'team role default current',
  'findings list': 'id severity state cluster owner check resource message first_seen name findings rows clusters',
  'findings top': 'points check name severity rows clusters fix',
  'findings paths': 'cluster environment kind id name status priority confidence checks summary',
  'teams members': 'member role',
  'teams subs': 'project followed_by',
}
