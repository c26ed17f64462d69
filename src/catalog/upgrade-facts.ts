import type { Compatibility } from '../contract/upgrade-facts.ts'
import type { UpgradeFactLists } from '../upgrade/facts.ts'
import { collectedFacts } from './collected.ts'
import { readData } from './read-data.ts'

/** Facts bundled with relt: see docs/catalog.md for the sources. */
export function bundledUpgradeFacts(): UpgradeFactLists {
  return {
    compatibility: [...readData<Compatibility[]>('compatibility'), ...collectedFacts<Compatibility>('compatibility')],
    removals: readData('api-removals'),
    breaking: readData('breaking-changes'),
    skew: readData('version-skew'),
    components: readData('bundled-components'),
  }
}
