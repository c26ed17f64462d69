import type * as z from 'zod/mini'
import { reasonOf } from '../contract/reason.ts'
import { settingNames } from '../contract/setting-names.ts'
import { WantedState, wantedKeys } from '../contract/wanted-state.ts'
import { nearest } from '../util/nearest-word.ts'
import { keyOf } from './name-key.ts'
import { type YamlPath, YamlSource } from './source.ts'
import { membersOf, YamlValues } from './yaml-value.ts'

/** The gate's policy is in the same file and is read elsewhere. */
const othersKey = 'gate'

export interface WantedFile {
  wanted: WantedState
  /** To name the lines of what turns out to be wrong later. */
  source: YamlSource
}

/** Parses the wanted state of a file. Throws `usage` with every problem and its line. */
export function readWanted(yaml: string, name: string): WantedFile {
  const source = new YamlSource(yaml, name)
  const values = valuesOf(source)
  source.throwProblems()
  const { success, data, error } = WantedState.safeParse(values)
  for (const issue of error?.issues ?? []) tellIssue(source, issue)
  if (success) checkNames(source, data)
  source.throwProblems()
  return { wanted: data!, source }
}

function valuesOf(source: YamlSource): Record<string, unknown> {
  const root = source.document.contents
  if (root === null) return {}
  const values = new YamlValues(source)
  const members = [...membersOf(source, root)].filter(([name]) => name !== othersKey)
  return Object.fromEntries(members.map(([name, node]) => [name, values.valueOf(node)]))
}

function tellIssue(source: YamlSource, issue: z.core.$ZodIssue): void {
  const path = issue.path as YamlPath
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) tellUnknown(source, [...path, key], wantedKeys[String(path[0] ?? '')]!)
  } else source.problem(path, `${path.join('.')}: ${reasonOf(issue)}`)
}

function tellUnknown(source: YamlSource, path: YamlPath, known: string[]): void {
  const key = String(path.at(-1))
  const meant = nearest(key, known)
  const advice = meant ? `did you mean ${meant}?` : `known are ${known.join(', ')}`
  source.problem(path, `there is no key ${JSON.stringify(key.slice(0, 100))}; ${advice}`)
}

/** Checks beyond the shapes: unique names, and settings that a scan has. */
function checkNames(source: YamlSource, { labels, profiles }: WantedState): void {
  checkOnce(source, 'labels', labels ?? [], keyOf)
  checkOnce(source, 'profiles', profiles ?? [], (name) => name)
  for (const [index, { settings = {} }] of (profiles ?? []).entries()) {
    const path = ['profiles', index, 'settings']
    for (const [name, value] of Object.entries(settings)) {
      const members = settingNames.get(name)
      if (!settingNames.has(name)) tellUnknown(source, [...path, name], [...settingNames.keys()])
      for (const member of members ? Object.keys(value as object) : []) {
        if (!members!.includes(member)) tellUnknown(source, [...path, name, member], members!)
      }
    }
  }
}

function checkOnce(source: YamlSource, kind: string, items: { name: string }[], keyOf: (name: string) => string): void {
  const seen = new Set<string>()
  for (const [index, { name }] of items.entries()) {
    if (seen.has(keyOf(name))) source.problem([kind, index], `${JSON.stringify(name)} appears twice`)
    seen.add(keyOf(name))
  }
}
