import type { Transaction } from 'kysely'
import { up as start } from './0001-start.ts'
import { up as accounts } from './0002-accounts.ts'
import { up as reportFormat } from './0003-report-format.ts'
import { up as source } from './0004-source.ts'
import { up as cycle } from './0005-cycle.ts'
import { up as advisory } from './0006-advisory.ts'
import { up as runIdentity } from './0007-run-identity.ts'
import { up as syncedAddress } from './0008-synced-address.ts'
import { up as dataKey } from './0009-data-key.ts'
import { up as keyScope } from './0010-key-scope.ts'
import { up as configSummary } from './0011-config-summary.ts'
import { up as composedNames } from './0012-composed-names.ts'
import { up as webhook } from './0013-webhook.ts'
import { up as catalogFacts } from './0014-catalog-facts.ts'
import { up as team } from './0015-team.ts'
import { up as findingCounts } from './0016-finding-counts.ts'
import { up as agent } from './0017-agent.ts'
import { up as cycleLatest } from './0018-cycle-latest.ts'
import { up as exception } from './0019-exception.ts'
import { up as catalogRevision } from './0020-catalog-revision.ts'
import { up as clusterSummary } from './0021-cluster-summary.ts'
import { up as agentHeartbeat } from './0022-agent-heartbeat.ts'

/** In order; a migration that has been released never changes. */
export const migrations: ((trx: Transaction<unknown>) => Promise<void>)[] = [
  start,
  accounts,
  reportFormat,
  source,
  cycle,
  advisory,
  runIdentity,
  syncedAddress,
  dataKey,
  keyScope,
  configSummary,
  composedNames,
  webhook,
  catalogFacts,
  team,
  findingCounts,
  agent,
  cycleLatest,
  exception,
  catalogRevision,
  clusterSummary,
  agentHeartbeat,
]
