import type { Exploited, ProjectFact, ReleaseFault } from '../contract/state-facts.ts'
import type { StateFactLists } from '../freshness/facts/state-facts.ts'
import { collectedFacts } from './collected.ts'
import { readData } from './read-data.ts'

/** Facts bundled with relt: see docs/catalog.md for the sources. */
export function bundledStateFacts(): StateFactLists {
  return {
    projects: [...readData<ProjectFact[]>('retired'), ...collectedFacts<ProjectFact>('project')],
    faults: [...readData<ReleaseFault[]>('bad-releases'), ...collectedFacts<ReleaseFault>('fault')],
    repositories: readData('repositories'),
    rules: readData('upgrade-rules'),
  }
}

interface BundledExploited {
  /** Day of the list, `YYYY-MM-DD`. */
  as_of: string
  exploited: [cve: string, since: string, due: string | null, ransomware: 0 | 1][]
}

/** CISA's complete list of known exploited vulnerabilities, by CVE, with its day. */
export function bundledExploited(): { asOf: string; exploited: Map<string, Exploited> } {
  const { as_of, exploited } = readData<BundledExploited>('exploited')
  const entries = exploited.map(([cve, since, due, ransomware]): [string, Exploited] => [
    cve,
    { since, due, ransomware: ransomware === 1 },
  ])
  return { asOf: as_of, exploited: new Map(entries) }
}
