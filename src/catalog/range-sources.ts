import type { RangeFile } from '../upgrade/range-source.ts'
import type { Bundle } from './bundle.ts'

/** Files in which projects publish which Kubernetes their release lines go with. */
export const rangeFilesOf = ({ read }: Bundle) => read<RangeFile[]>('range-sources')
