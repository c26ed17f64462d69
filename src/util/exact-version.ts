/**
 * Whether a text names one version: no branch, no range, and no part of one, which Helm takes for a range. `0.0.0-latest` is what the
 * last build of a branch is called.
 */
export const isExactVersion = (text: string): boolean =>
  !isOfBranch(text) && /^v?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.test(text)

/** `v0.0.0-latest`: charts that are built from a branch have no version of their own. */
export const isOfBranch = (version: string): boolean => /^v?0\.0\.0-/.test(version)

/** Flux writes a digest in place of the build of the version that it installed, and tags may or may not begin with `v`. */
export function isSameVersion(wanted: string, running: string): boolean {
  const plain = (text: string) => text.replace(/^v(?=\d)/, '')
  const withoutBuild = (text: string) => text.replace(/\+.*$/, '')
  const [a, b] = [plain(wanted), plain(running)]
  if (a === b) return true
  const isDigest = /\+[0-9a-f]{12}$/.test(b)
  return (isDigest || !a.includes('+')) && withoutBuild(a) === withoutBuild(b)
}
