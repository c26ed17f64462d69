/** Whether a text names one version: no branch, no range, and no part of one, which Helm takes for a range. */
export const isExactVersion = (text: string): boolean =>
  /^v?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.test(text)

/** Flux adds a digest to the version that it installed, and tags may or may not begin with `v`. */
export function isSameVersion(wanted: string, running: string): boolean {
  const plain = (text: string) => text.replace(/^v(?=\d)/, '')
  const [a, b] = [plain(wanted), plain(running)]
  return a === b || (!a.includes('+') && a === b.replace(/\+.*$/, ''))
}
