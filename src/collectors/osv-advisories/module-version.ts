type Convert = (minor: number, patch: string) => string

/** Projects whose Go modules are numbered apart from their releases. */
const numbered: Record<string, Convert> = {
  // 0.305.2 is 3.5.2, and 0.54.1 is 2.54.1.
  prometheus: (minor, patch) => (minor >= 300 ? `3.${minor - 300}${patch}` : `2.${minor}${patch}`),
  // 0.22.4 is 22.0.4.
  vitess: (minor, patch) => `${minor}.0${patch}`,
  // 0.39.0 is 1.12.0, since 1.0 was 0.27.
  knative: (minor, patch) => (minor >= 27 ? `1.${minor - 27}${patch}` : `0.${minor}${patch}`),
}

/** A module's version as the project's release has it: without `v`, and in the project's own numbers. */
export function releaseVersion(slug: string, version: string): string {
  const plain = version.replace(/^v(?=\d)/, '')
  const convert = numbered[slug] ?? (slug.startsWith('knative') ? numbered.knative : undefined)
  const module = /^0\.(\d{1,6})((?:\.\d+)?(?:[-+].*)?)$/.exec(plain)
  return convert && module && Number(module[1]) > 0 ? convert(Number(module[1]), module[2]!) : plain
}
