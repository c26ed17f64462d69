import { ScanSettings } from './scan-settings.ts'

/** The settings of a scan that have a meaning; of those that are blocks with fixed members, which. */
export const settingNames: Map<string, string[] | undefined> = new Map(
  Object.entries(ScanSettings.shape).map(([name, { def }]) => [
    name,
    'shape' in def.innerType ? Object.keys(def.innerType.shape) : undefined,
  ]),
)
