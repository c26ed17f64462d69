import type { Db } from '../../db/open.ts'
import { distributionIds } from '../../lifecycle/offering.ts'
import { findProjectIds } from '../../store/catalog/project.ts'

export interface Distributions {
  kubernetes: number | undefined
  /** Offering id → id of the project that publishes its Kubernetes releases. */
  distributions: ReadonlyMap<string, number>
}

/** Ids of Kubernetes and its distributions, if they are in the catalog. */
export async function findDistributions(db: Db): Promise<Distributions> {
  const distributions = await findProjectIds(db, ['kubernetes', ...distributionIds])
  const kubernetes = distributions.get('kubernetes')
  distributions.delete('kubernetes')
  return { kubernetes, distributions }
}
