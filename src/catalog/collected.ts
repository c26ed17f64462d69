import { type Bundle, builtIn } from './bundle.ts'

/** Facts of one source that the build of the catalog read. */
export interface CollectedFacts {
  source: 'github' | 'helm' | 'k3s' | 'rke2' | `${string}/${string}`
  kind: 'project' | 'fault' | 'compatibility'
  /** Day of the answer, `YYYY-MM-DD`. */
  as_of: string
  facts: unknown[]
}

export const readCollected = ({ read }: Bundle = builtIn) => read<CollectedFacts[]>('collected')

export function collectedFacts<T>(bundle: Bundle, wanted: CollectedFacts['kind']) {
  return readCollected(bundle).flatMap(({ kind, facts }) => (kind === wanted ? (facts as T[]) : []))
}
