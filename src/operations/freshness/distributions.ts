import type { Db } from '../../db/open.ts'
import { distributionIds } from '../../lifecycle/offering.ts'
import { findProjectIds } from '../../store/catalog/project.ts'

export interface Distributions {
  kubernetes: number | undefined
  /** By the id of the offering: the project that makes its releases of Kubernetes. */
  distributions: ReadonlyMap<string, number>
}

/** Ids of Kubernetes and of its distributions, as far as the catalog has them. */
export async function findDistributions(db: Db): Promise<Distributions> {
  const distributions = await findProjectIds(db, ['kubernetes', ...distributionIds])
  const kubernetes = distributions.get('kubernetes')
  distributions.delete('kubernetes')
  return { kubernetes, distributions }
}
