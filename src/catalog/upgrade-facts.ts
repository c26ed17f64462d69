import type {
  ApiRemoval,
  BreakingChange,
  BundledComponent,
  Compatibility,
  SkewRule,
} from '../contract/upgrade-facts.ts'
import type { UpgradeFactLists } from '../upgrade/facts.ts'
import { readData } from './read-data.ts'

/** Facts bundled with relt: see docs/catalog.md for the sources. */
export function bundledUpgradeFacts(): UpgradeFactLists {
  return {
    compatibility: readData('compatibility') as Compatibility[],
    removals: readData('api-removals') as ApiRemoval[],
    breaking: readData('breaking-changes') as BreakingChange[],
    skew: readData('version-skew') as SkewRule[],
    components: readData('bundled-components') as BundledComponent[],
  }
}
