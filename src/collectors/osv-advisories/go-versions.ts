import { hasEnd, isVague, type VersionRange } from '../../security/version-range.ts'

/**
 * Ranges of a Go module without the versions of its other major versions, which are modules of their own in the record:
 * `example.com/shop/v2` begins with 2.0.0, where a range without an end of `example.com/shop` ends.
 */
export function withinMajor(ranges: VersionRange[], name: string, modules: readonly string[]) {
  const own = toMajor(name)
  const majors = modules.filter((other) => toRoot(other) === toRoot(name)).map(toMajor)
  return ranges.map((range) => {
    if (hasEnd(range)) {
      const hasEarlier = range.introduced === '0' && majors.some((major) => major < own)
      return hasEarlier ? { ...range, introduced: `${own}.0.0` } : range
    }
    const from = Math.max(own, Number.parseInt(range.introduced, 10))
    const next = Math.min(...majors.filter((major) => major > from))
    return isVague(range) || next === Number.POSITIVE_INFINITY ? range : { ...range, fixed: `${next}.0.0` }
  })
}

const ofMajor = /\/v(\d+)$/
const toRoot = (name: string) => name.replace(ofMajor, '')
const toMajor = (name: string) => Number(ofMajor.exec(name)?.[1] ?? 0)

/** Projects whose Go modules have other version numbers than their releases. */
const numbered: Record<string, (minor: number, patch: string) => string> = {
  // Module 0.305.2 is release 3.5.2, and 0.54.1 is 2.54.1.
  prometheus: (minor, patch) => (minor >= 300 ? `3.${minor - 300}${patch}` : `2.${minor}${patch}`),
  // Module 0.22.4 is release 22.0.4.
  vitess: (minor, patch) => `${minor}.0${patch}`,
  // Module 0.39.0 is release 1.12.0, because 1.0 was 0.27.
  knative: (minor, patch) => (minor >= 27 ? `1.${minor - 27}${patch}` : `0.${minor}${patch}`),
}

/** Converts a module version to that of the project's release: without `v`, and in the project's own numbers. */
export function releaseVersion(slug: string, version: string) {
  const plain = version.replace(/^v(?=\d)|\+incompatible$/g, '')
  const convert = numbered[slug] ?? (slug.startsWith('knative') ? numbered.knative : undefined)
  const module = /^0\.(\d{1,6})((?:\.\d+)?(?:[-+].*)?)$/.exec(plain)
  return convert && module && Number(module[1]) > 0 ? convert(Number(module[1]), module[2]!) : plain
}
