import type { ScanSettings } from '../contract/scan-settings.ts'
import { settingNames } from '../contract/setting-names.ts'
import { isObject } from '../util/json.ts'

type Members = Record<string, unknown>

/** Omits unknown settings, which could be anything and do not belong in a file. */
export function knownSettings(settings: ScanSettings): ScanSettings {
  return pick(settings, (name, block) => (block ?? settingNames).has(name))
}

/** Replaces the known settings; other stored ones stay. */
export function replaceKnown(stored: ScanSettings, wanted: ScanSettings): ScanSettings {
  const kept: Members = pick(stored, (name, block) => !(block ?? settingNames).has(name))
  for (const [name, value] of Object.entries(wanted)) {
    kept[name] = settingNames.get(name) ? { ...(kept[name] as Members), ...(value as Members) } : value
  }
  return kept
}

/** Flattens settings: `prometheus.mode` → its value as JSON. An empty block counts as absent. */
export function flatSettings(settings: ScanSettings) {
  const flat = new Map<string, string>()
  for (const [name, value] of Object.entries(settings)) {
    if (!isObject(value)) flat.set(name, JSON.stringify(value))
    else for (const [member, each] of Object.entries(value)) flat.set(`${name}.${member}`, JSON.stringify(each))
  }
  return flat
}

/** `block` has the names of known members, if they are fixed. */
function pick(settings: ScanSettings, takes: (name: string, block?: Set<string>) => boolean): ScanSettings {
  const picked: Members = {}
  for (const [name, value] of Object.entries(settings)) {
    const members = settingNames.get(name)
    if (!members || !isObject(value)) {
      if (takes(name)) picked[name] = value
      continue
    }
    const block = new Set(members)
    const kept = Object.entries(value).filter(([member]) => takes(member, block))
    if (kept.length > 0) picked[name] = Object.fromEntries(kept)
  }
  return picked
}
