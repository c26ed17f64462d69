import type { Exploited, ProjectFact, ReleaseFault } from '../contract/state-facts.ts'
import type { StateFactLists } from '../freshness/facts/state-facts.ts'
import { type Bundle, builtIn } from './bundle.ts'
import { collectedFacts } from './collected.ts'

/** Facts of a bundle: see docs/catalog.md for the sources. */
export function bundledStateFacts(bundle: Bundle = builtIn): StateFactLists {
  return {
    projects: [...bundle.read<ProjectFact[]>('retired'), ...collectedFacts<ProjectFact>(bundle, 'project')],
    faults: [...bundle.read<ReleaseFault[]>('bad-releases'), ...collectedFacts<ReleaseFault>(bundle, 'fault')],
    repositories: bundle.read('repositories'),
    rules: bundle.read('upgrade-rules'),
  }
}

interface BundledExploited {
  /** Day of the list, `YYYY-MM-DD`. */
  as_of: string
  exploited: [cve: string, since: string, due: string | null, ransomware: 0 | 1][]
}

/** CISA's complete list of known exploited vulnerabilities, by CVE, with its day. */
export function bundledExploited({ read }: Bundle = builtIn): { asOf: string; exploited: Map<string, Exploited> } {
  const { as_of, exploited } = read<BundledExploited>('exploited')
  const entries = exploited.map(([cve, since, due, ransomware]): [string, Exploited] => [
    cve,
    { since, due, ransomware: ransomware === 1 },
  ])
  return { asOf: as_of, exploited: new Map(entries) }
}
