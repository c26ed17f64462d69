import { ScanSettings } from '../contract/scan-settings.ts'
import { isObject } from '../util/json.ts'

interface Shape {
  _zod: { def: { shape?: Record<string, Shape>; innerType?: Shape } }
}

/** Paths of settings that no command or file uses, such as `radra.environment`, each with a similar known one. */
export function unknownSettings(settings: unknown): { path: string; similar: string | undefined }[] {
  return find(settings, ScanSettings as unknown as Shape, '')
}

function find(value: unknown, shape: Shape, above: string): ReturnType<typeof unknownSettings> {
  const known = membersFor(shape)
  if (!known || !isObject(value)) return []
  return Object.entries(value).flatMap(([name, child]) => {
    const path = above + name
    if (Object.hasOwn(known, name)) return find(child, known[name]!, `${path}.`)
    const key = toKey(name)
    const similar = Object.keys(known).find((each) => toKey(each) === key || isClose(toKey(each), key))
    return [{ path, similar: similar && above + similar }]
  })
}

/** Undefined for settings without fixed members, such as thresholds. */
function membersFor({ _zod: { def } }: Shape): Record<string, Shape> | undefined {
  return def.innerType ? membersFor(def.innerType) : def.shape
}

/** `excludedNamespaces` and `excluded-namespaces` mean `excluded_namespaces`. */
const toKey = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Whether the names differ by one added, missing or replaced letter, or two swapped ones. */
function isClose(a: string, b: string) {
  if (Math.abs(a.length - b.length) > 1 || Math.min(a.length, b.length) < 3) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const [restA, restB] = [a.slice(start), b.slice(start)]
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
}
