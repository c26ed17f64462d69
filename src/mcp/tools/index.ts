import type { Tool } from '../tool.ts'
import { impact, searchCatalog } from './catalog.ts'
import { explainFinding, listFindings } from './findings.ts'
import { fleetStatus, whatsRunning } from './fleet.ts'
import { compareRuns, explainGate, freshness } from './runs.ts'
import { upgradePlan } from './upgrade.ts'

/** All tools, in the order in which clients list them. */
export const tools: readonly Tool[] = [
  fleetStatus,
  whatsRunning,
  compareRuns,
  listFindings,
  explainFinding,
  freshness,
  impact,
  explainGate,
  upgradePlan,
  searchCatalog,
]
