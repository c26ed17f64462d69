import { type HelmRange, readHelmRange } from '../util/helm-range.ts'
import { readHelmVersion } from '../util/helm-version.ts'
import { RecentValues } from '../util/recent-values.ts'
import { remember } from '../util/remember.ts'

const patches = [0, 5, 99]
const ranges = new RecentValues<HelmRange | undefined>(5000)
const answers = new RecentValues<boolean>(5000)

/**
 * The suffix that makes a version a pre-release to Helm: `-eks` of `v1.33.10-eks-ba2e9a1`; empty for `v1.33.1+k3s1` and for
 * a minor version.
 */
export function helmSuffix(version: string | null) {
  return /^v?\d+\.\d+\.\d+(-[A-Za-z]+)/.exec(version?.trim() ?? '')?.[1] ?? ''
}

/** Whether Helm installs a chart with this `kubeVersion` on some patch of a minor version, with the offering's suffix. */
export function isInChartRange(range: string, minor: string, suffix: string) {
  const key = `${range} ${minor} ${suffix}`
  return remember(answers, key, () => {
    const read = remember(ranges, range, () => readHelmRange(range))
    const versions = patches.flatMap((patch) => readHelmVersion(`v${minor}.${patch}${suffix}`) ?? [])
    return read !== undefined && versions.some(read)
  })
}
