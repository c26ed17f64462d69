import type { RangeFile } from '../upgrade/range-source.ts'
import { readData } from './read-data.ts'

/** Files in which projects publish which Kubernetes their release lines go with. */
export const bundledRangeFiles = () => readData<RangeFile[]>('range-sources')
