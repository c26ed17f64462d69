import { say } from '../../views/said.ts'
import { basisNote, upgradeVerdict } from '../../views/upgrade.ts'
import type { Tool } from '../tool.ts'
import { ageOfOldest } from './fleet.ts'
import { clusterProperties } from './runs.ts'

export const upgradePlan: Tool = {
  name: 'upgrade_plan',
  title: 'How to upgrade Kubernetes',
  description:
    'Plans the upgrade of a cluster to another Kubernetes: what blocks it, which parts to upgrade first and to which checked version, what breaks, in numbered steps.',
  route: 'getUpgradePlan',
  properties: {
    ...clusterProperties,
    to: {
      type: 'string',
      maxLength: 100,
      description: 'A version such as 1.36, latest, or supported (default: the next minor version)',
    },
  },
  lists: ['steps', 'parts', 'reasons', 'hops', 'missing'],
  async ask(call, args, { now }) {
    const answer = await call('getUpgradePlan', { query: args })
    const { basis } = answer
    const verdict = upgradeVerdict(answer)
    return {
      about: {
        cluster_name: basis.cluster_name,
        environment: basis.environment,
        run_id: basis.run_id,
        ...ageOfOldest([basis.seen_at], now),
        coverage: { artifacts: basis.artifacts, parts: basis.parts, parts_with_facts: basis.parts_with_facts },
        undecided: answer.verdict === 'ready' ? [] : verdict.gaps,
      },
      answer: { ...answer },
      said: say`${verdict.words}. ${basisNote(answer)}. Facts of ${answer.catalog_date}.`,
    }
  },
}
