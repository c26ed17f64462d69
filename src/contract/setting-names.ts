import { ScanSettings } from './scan-settings.ts'

/** Known settings of a scan; for blocks, also the names of their members. */
export const settingNames = new Map(
  Object.entries(ScanSettings.shape).map(([name, { def }]) => [
    name,
    'shape' in def.innerType ? Object.keys(def.innerType.shape) : undefined,
  ]),
)
