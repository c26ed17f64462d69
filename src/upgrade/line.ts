/** `v1.33.10-eks-ba2e9a1` → `1.33`; undefined unless it starts with two numbers. */
export function toMinor(version: string) {
  const found = /^v?(\d{1,3})\.(\d{1,3})(?!\d)/.exec(version.trim())
  return found ? `${Number(found[1])}.${Number(found[2])}` : undefined
}

/** A virtual kubelet reports the version of its own program. */
export const kubeletMinor = (kubelet: string | null) =>
  kubelet === null || kubelet.includes('-vk-') ? undefined : toMinor(kubelet)

/** Compares number by number, with missing ones as zero. Avoids arrays, because a plan compares thousands of lines. */
export function compareLines(a: string, b: string) {
  let [left, right] = [0, 0]
  while (left <= a.length || right <= b.length) {
    const [leftEnd, rightEnd] = [endOfNumber(a, left), endOfNumber(b, right)]
    const difference = numberAt(a, left, leftEnd) - numberAt(b, right, rightEnd)
    if (difference !== 0) return difference
    left = leftEnd + 1
    right = rightEnd + 1
  }
  return 0
}

function endOfNumber(text: string, start: number) {
  const end = text.indexOf('.', start)
  return end < 0 ? text.length : end
}

const numberAt = (text: string, start: number, end: number) =>
  start > text.length ? 0 : Number(text.slice(start, end))

/** The minor versions after `from` up to `to`; undefined if the first numbers differ, or for a downgrade. */
export function minorsBetween(from: string, to: string) {
  const [[major, first], [lastMajor, last]] = [toNumbers(from), toNumbers(to)]
  if (major !== lastMajor || last < first) return undefined
  return Array.from({ length: last - first }, (_, index) => `${major}.${first + index + 1}`)
}

function toNumbers(minor: string): [number, number] {
  const [major, number] = minor.split('.')
  return [Number(major), Number(number)]
}
