import { compareStages, parseVersion, type Version } from '../versions.ts'

/** Whether a version or tag is in a line such as `<2`, `>=3 <4`, `stable-2.*` or `*`. */
export type LineTest = (tag: string | null, version: Version | undefined) => boolean

const bound = /^(>=|<=|<|>|=)?v?(\d[\w.+-]*)$/

/** Undefined for an invalid line. An unknown version is only in the line `*`. */
export function readLine(text: string): LineTest | undefined {
  if (text.trim() === '*') return () => true
  const parts = text.trim().split(/\s+/)
  const bounds = parts.map((part) => bound.exec(part))
  if (bounds.every((found) => found !== null)) {
    const tests = bounds.map(([, operator = '=', number = '']) => testOf(operator, parseVersion(number)))
    return (_, version) => version !== undefined && tests.every((test) => test(version))
  }
  if (parts.length > 1 || !/^[\w.+*-]+$/.test(text)) return undefined
  const words = text.split('*').map((word) => word.replace(/[.+]/g, '\\$&'))
  const pattern = new RegExp(`^${words.join('[\\w.+-]*')}$`)
  return (tag) => tag !== null && pattern.test(tag)
}

function testOf(operator: string, limit: Version | undefined) {
  if (!limit) return () => false
  const order = (version: Version) => compareStages(version, limit)
  const tests: Record<string, (version: Version) => boolean> = {
    '<': (version) => order(version) < 0,
    '<=': (version) => order(version) <= 0,
    '>': (version) => order(version) > 0,
    '>=': (version) => order(version) >= 0,
    '=': (version) => order(version) === 0,
  }
  return tests[operator]!
}
