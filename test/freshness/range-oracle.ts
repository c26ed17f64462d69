/** Affected or not, by a second reading of Semantic Versioning that shares no code with relt's. */
export interface OracleRange {
  introduced: string
  fixed?: string | null
  last_affected?: string | null
}

/** `text` is a version of the project's own line, without prefixes. */
export function isAffected(text: string, ranges: readonly OracleRange[]): boolean {
  const version = toKey(text)
  return ranges.some(({ introduced, fixed, last_affected: last }) => {
    if (introduced !== '0' && order(version, toKey(introduced)) < 0) return false
    if (fixed != null) return order(version, toKey(fixed)) < 0
    return last == null || order(version, toKey(last)) <= 0
  })
}

interface Key {
  numbers: bigint[]
  stage: string[]
  rebuilt: bigint
}

function toKey(text: string): Key {
  const [whole, rebuilt = '0'] = text.split(/[+-]security-/) as [string, string?]
  const date = /^(\d{4})-(\d\d)-(\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/.exec(whole)
  if (date) return { numbers: date.slice(1).map(BigInt), stage: [], rebuilt: 0n }
  const [, numbers = '', rest = ''] = /^v?(\d+(?:\.\d+)*)(.*)$/s.exec(whole.split('+')[0] ?? '') ?? []
  const stage = rest
    .replace(/^[-.]/, '')
    .replace(/^([a-z]+)(\d)/i, '$1.$2')
    .replace(/^a\b/, 'alpha')
    .replace(/^b\b/, 'beta')
    .toLowerCase()
  return {
    numbers: numbers.split('.').map(BigInt),
    stage: stage === '' ? [] : stage.split(/[-.]/),
    rebuilt: BigInt(rebuilt),
  }
}

function order(a: Key, b: Key): number {
  for (let at = 0; at < Math.max(a.numbers.length, b.numbers.length); at++) {
    const difference = (a.numbers[at] ?? 0n) - (b.numbers[at] ?? 0n)
    if (difference !== 0n) return difference < 0n ? -1 : 1
  }
  if (a.stage.length === 0 || b.stage.length === 0) {
    return Math.sign(b.stage.length - a.stage.length) || Number(a.rebuilt - b.rebuilt)
  }
  for (let at = 0; at < Math.min(a.stage.length, b.stage.length); at++) {
    const [left = '', right = ''] = [a.stage[at], b.stage[at]]
    if (left === right) continue
    const areNumbers = /^\d+$/.test(left) && /^\d+$/.test(right)
    if (areNumbers) return Number(left) - Number(right)
    return left < right ? -1 : 1
  }
  return a.stage.length - b.stage.length
}
