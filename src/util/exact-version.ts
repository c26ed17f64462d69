/**
 * Whether a text is a single version: not a branch, a range, or a partial version, which Helm treats as a range.
 * `0.0.0-latest` is the last build of a branch.
 */
export const isExactVersion = (text: string) =>
  !isOfBranch(text) && /^v?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.test(text)

/** `v0.0.0-latest`: charts built from a branch have no version of their own. */
export const isOfBranch = (version: string) => /^v?0\.0\.0-/.test(version)

/** Flux replaces the build metadata of the installed version with a digest, and tags may or may not start with `v`. */
export function isSameVersion(wanted: string, running: string) {
  const plain = (text: string) => text.replace(/^v(?=\d)/, '')
  const withoutBuild = (text: string) => text.replace(/\+.*$/, '')
  const [a, b] = [plain(wanted), plain(running)]
  if (a === b) return true
  const isDigest = /\+[0-9a-f]{12}$/.test(b)
  return (isDigest || !a.includes('+')) && withoutBuild(a) === withoutBuild(b)
}
