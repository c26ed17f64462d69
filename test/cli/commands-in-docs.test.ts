import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { commandTree } from '../../scripts/command-tree.ts'
import { readSources } from '../../scripts/size.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Pages for people, with their commands. */
const pages = ['*.md', 'docs/**/*.md', 'examples/*.md', '.github/**/*.md']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .sort()

interface Known {
  options: Set<string>
  verbs: string[]
  defaultVerb: string | undefined
}

/** By the words of a command, the program itself as ''. */
const commands = new Map<string, Known>()
/** Those of Kubescape, Trivy, `npm run release` and workers of relt, too. */
const allOptions = new Set([
  ...['--help', '--format-version', '--scanners', '--scan-images'],
  ...['--executable', '--node', '--strict', '--relt-worker'],
])
const everything = Object.values(readSources()).join('\n')

beforeAll(async () => {
  for (const { name, options, verbs, defaultVerb } of await commandTree()) {
    const names = options.flatMap(({ term }) => term.match(/(?<=^|, )--?[\w-]+/g) ?? [])
    commands.set(name.replace(/^relt ?/, ''), { options: new Set(names), verbs, defaultVerb })
    for (const each of names) allOptions.add(each)
  }
})

/** The parts of a page that are code: blocks of the shell, and words in backticks. */
function codeIn(page: string): string[] {
  const fences = [...page.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)]
  const blocks = fences.flatMap(([, language, code]) => (/^(?:sh|bash)?$/.test(language!) ? [code!] : []))
  const prose = page.replace(/^ *```\w*\n[\s\S]*?^ *```$/gm, '')
  const lines = blocks.flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
  return [...lines, ...[...prose.matchAll(/`([^`]+)`/g)].map(([, code]) => code!.replaceAll(/\s+/g, ' '))]
}

/** What a call of relt names that the program does not have; undefined if it has everything. */
function findUnknown(call: string): string | undefined {
  const words = call.split(' ').filter(Boolean)
  let name = ''
  while (words.length > 0) {
    const { verbs } = commands.get(name)!
    if (verbs.length === 0 || /^-/.test(words[0]!)) break
    // `keys|tokens list`: one command each.
    const each = words[0]!.split('|')
    const missing = each.find((verb) => !verbs.includes(verb))
    if (missing !== undefined) return /^[a-z][a-z-]+$/.test(missing) ? `relt ${name} ${missing}` : undefined
    if (each.length > 1) {
      words.shift()
      const calls = each.map((verb) => [...name.split(' '), verb, ...words].join(' '))
      return calls.map(findUnknown).find((unknown) => unknown !== undefined)
    }
    name = `${name} ${words.shift()!}`.trim()
  }
  const { defaultVerb } = commands.get(name)!
  if (defaultVerb) name = `${name} ${defaultVerb}`
  const ancestors = name.split(' ').map((_, i, all) => all.slice(0, i + 1).join(' '))
  const known = new Set(['', ...ancestors].flatMap((each) => [...(commands.get(each)?.options ?? [])]))
  const option = words
    .map((word) => /^-(?:-[a-z][\w-]*|[a-zA-Z])(?==|$)/.exec(word.replace(/[\])]+$/, ''))?.[0])
    .find((word) => word !== undefined && word !== '--help' && word !== '-h' && !known.has(word))
  return option && `relt ${name} ${option}`
}

/** Each call of relt in some code, without what the shell does around it, and without other programs' words. */
function callsIn(code: string): string[] {
  return code
    .replaceAll(/"[^"]*"|'[^']*'/g, 'text')
    .replace(/(?<=^|\s)#.*/, '')
    .split(/&&|;| \| |\$\(|<| > /)
    .flatMap((part) => /^\W*(?:(?:sudo|exec|npx|text|\w+=\S*) +)*(?:\S*bin\/relt\.js|relt) (.*)/.exec(part)?.[1] ?? [])
}

describe.each(pages)('%s', (file) => {
  const page = readFileSync(join(root, file), 'utf8')

  test('names commands and options that relt has', () => {
    const unknown = codeIn(page).flatMap((code) => callsIn(code).map(findUnknown))
    expect(unknown.filter((each) => each !== undefined)).toEqual([])
  })

  test('names options and variables that relt has', () => {
    const options = codeIn(page).flatMap((code) => /^--[a-z][\w-]*/.exec(code) ?? [])
    expect(options.filter((option) => !allOptions.has(option))).toEqual([])
    const variables = page.match(/(?<!env:)\bRELT(?:_[A-Z\d]+)+\b/g) ?? []
    expect(variables.filter((name) => !/^RELT_TEST_/.test(name) && !everything.includes(name))).toEqual([])
  })
})

test('finds a verb, an option and an alternative that relt does not have', () => {
  const found = (code: string) => callsIn(code).map(findUnknown)
  expect(found('relt reports uplod report.json')).toEqual(['relt reports uplod'])
  expect(found('helm x && relt ci report.json --fail-of "a --b"')).toEqual(['relt ci --fail-of'])
  expect(found('relt subs list|lost --json')).toEqual(['relt subs lost'])
  expect(found('FOO=1 relt -c prod status --json | jq .')).toEqual(['relt  -c'])
  expect(found('relt reports list -c prod --limit 3 --json | relt api -')).toEqual([undefined, undefined])
})
