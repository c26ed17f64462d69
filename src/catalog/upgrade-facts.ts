import type { Compatibility } from '../contract/upgrade-facts.ts'
import type { UpgradeFactLists } from '../upgrade/facts.ts'
import { type Bundle, builtIn } from './bundle.ts'
import { collectedFacts } from './collected.ts'

/** Facts of a bundle: see docs/catalog.md for the sources. */
export function bundledUpgradeFacts(bundle: Bundle = builtIn): UpgradeFactLists {
  return {
    compatibility: [
      ...bundle.read<Compatibility[]>('compatibility'),
      ...collectedFacts<Compatibility>(bundle, 'compatibility'),
    ],
    removals: bundle.read('api-removals'),
    breaking: bundle.read('breaking-changes'),
    skew: bundle.read('version-skew'),
    components: bundle.read('bundled-components'),
  }
}
