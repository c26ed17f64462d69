import type { ScanSettings } from '../contract/scan-settings.ts'
import type { WantedProfile } from '../contract/wanted-state.ts'
import type { Action, FieldChange } from './action.ts'
import type { StoredProfile } from './current.ts'
import { flatSettings, knownSettings, replaceKnown } from './scan-settings.ts'
import { notKnown } from './setting-changes.ts'

/** Changes that make the stored profile, if any, equal the wanted one. */
export function profileDifference(stored: StoredProfile | undefined, wanted: WantedProfile): Action[] {
  const { name, settings, ...rest } = wanted
  const fields = [...plainFields(stored, rest), ...(settings ? settingFields(stored?.settings, settings) : [])]
  if (!stored) return [{ change: 'add', kind: 'profile', name, fields, step: { do: 'createProfile', profile: wanted } }]
  if (fields.length === 0) return []
  const change = { ...rest, ...(settings && { settings: replaceKnown(stored.settings, settings) }) }
  return [
    { change: 'change', kind: 'profile', name, fields, step: { do: 'updateProfile', id: stored.config_id, change } },
  ]
}

function plainFields(
  stored: StoredProfile | undefined,
  wanted: Omit<WantedProfile, 'name' | 'settings'>,
): FieldChange[] {
  const names = ['cluster_name', 'provider', 'notes'] as const
  return names.flatMap((name) => {
    const to = wanted[name]
    if (to === undefined || to === (stored?.[name] ?? '')) return []
    return { name, from: stored ? (stored[name] ?? notKnown) : null, to }
  })
}

function settingFields(stored: ScanSettings | undefined, wanted: ScanSettings): FieldChange[] {
  const before = flatSettings(knownSettings(stored ?? {}))
  const after = flatSettings(wanted)
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => ({
      name: `settings.${name}`,
      from: stored ? (before.get(name) ?? 'none') : null,
      to: after.get(name) ?? 'none',
    }))
}
