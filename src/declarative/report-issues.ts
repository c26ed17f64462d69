import type * as z from 'zod/mini'
import { reasonFor } from '../contract/reason.ts'
import { nearest } from '../util/nearest-word.ts'
import type { YamlPath, YamlSource } from './source.ts'

/** Adds the problems found by a schema to the source, with their lines. `keysAt` lists the keys that a mapping may have. */
export function reportIssues(source: YamlSource, issues: z.core.$ZodIssue[], keysAt: (path: YamlPath) => string[]) {
  for (const issue of issues) {
    const path = issue.path as YamlPath
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) reportUnknown(source, [...path, key], keysAt(path))
    } else source.problem(path, path.length === 0 ? reasonFor(issue) : `${path.join('.')}: ${reasonFor(issue)}`)
  }
}

export function reportUnknown(source: YamlSource, path: YamlPath, known: string[]) {
  const key = String(path.at(-1))
  const meant = nearest(key, known)
  const advice = meant ? `did you mean ${meant}?` : `known are ${known.join(', ')}`
  source.problem(path, `there is no key ${JSON.stringify(key.slice(0, 100))}; ${advice}`)
}

/** Checks that names in the list `kind` are unique. */
export function checkOnce(
  source: YamlSource,
  kind: string,
  items: { name: string }[],
  toKey: (name: string) => string,
) {
  const seen = new Set<string>()
  for (const [index, { name }] of items.entries()) {
    if (seen.has(toKey(name))) source.problem([kind, index], `${JSON.stringify(name)} appears twice`)
    seen.add(toKey(name))
  }
}
