import { isAscii } from 'node:buffer'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { toNoun } from '../src/contract/nouns.ts'
import { version } from '../src/version.ts'
import { titles } from '../src/views/titles.ts'
import { longestFiles, startingProcesses } from './helpers/longest-first.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

type Sources = Record<string, string>

interface Import {
  /** Undefined when it is computed; `*` stands for a folder that is. */
  specifier: string | undefined
  /** `type` goes when the types are stripped; an inline `{ type X }` does not. */
  kind: 'static' | 'type' | 'dynamic'
}

interface Edge extends Import {
  /** Path below `src`. */
  from: string
  /** Path below `src`, or the name of a package or of a module of Node. */
  to: string
  local: boolean
}

/** Comments go, strings stay. */
function withoutComments(source: string): string {
  const pattern = /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g
  return source.replace(pattern, (_, text: string | undefined) => text ?? ' ')
}

/** By the source: every rule asks for the same files. */
const scanned = new Map<string, Import[]>()

function toImports(source: string): Import[] {
  const imports = scanned.get(source) ?? scanImports(source)
  scanned.set(source, imports)
  return imports
}

function scanImports(source: string): Import[] {
  const code = withoutComments(source)
  const names = String.raw`\{[^}]*\}`
  const star = String.raw`\*(?:\s*as\s+[\w$]+)?`
  const clause = `(?:${names}|${star}|[\\w$]+(?:\\s*,\\s*(?:${names}|${star}))?)`
  const statement = new RegExp(
    `^[ \\t]*(?:import|export)\\b\\s*(type\\b)?\\s*(?:${clause}\\s*from\\s*)?['"]([^'"\\n]+)['"]`,
    'gm',
  )
  const call =
    /\b(typeof\s+)?(?:import|require|getBuiltinModule)\(\s*(?:['"]([^'"\n]+)['"]|`(\.{1,2}\/(?:[\w-]+\/)*)\$\{\w+\}(\/[\w./-]+)`)?/g
  return [
    ...Array.from(
      code.matchAll(statement),
      ([, type, specifier]): Import => ({ specifier, kind: type ? 'type' : 'static' }),
    ),
    ...Array.from(
      code.matchAll(call),
      ([, type, specifier, before, after]): Import => ({
        specifier: before ? `${before}*${after}` : specifier,
        kind: type ? 'type' : 'dynamic',
      }),
    ),
  ]
}

function toEdges(sources: Sources): Edge[] {
  return Object.entries(sources).flatMap(([from, source]) =>
    toImports(source).flatMap(({ specifier, kind }) => {
      const local = specifier?.startsWith('.') === true
      const to = local ? posix.join(posix.dirname(from), specifier) : toPackage(specifier ?? '?')
      const files =
        local && to.includes('*') ? Object.keys(sources).filter((file) => posix.matchesGlob(file, to)) : [to]
      return files.map((file) => ({ specifier, kind, from, to: file, local }))
    }),
  )
}

function toPackage(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** `cli/output/table.ts` → `cli`, `errors.ts` → `errors`. */
const roomFor = (path: string): string => path.split('/')[0]!.replace(/\.ts$/, '')

type Rule = (edges: Edge[]) => string[]

function forbid(breaks: (edge: Edge) => boolean): Rule {
  return (edges) => edges.filter(breaks).map(({ from, to, kind }) => `${from} imports ${to} (${kind})`)
}

/** Files of `rooms` take nothing, not even a type, from the rooms named. */
const apart = (rooms: string[], from: string[]): Rule =>
  forbid((edge) => rooms.includes(roomFor(edge.from)) && edge.local && from.includes(roomFor(edge.to)))

const onlyFrom = (room: string, allowed: string[]): Rule =>
  forbid((edge) => roomFor(edge.from) === room && edge.local && !allowed.includes(roomFor(edge.to)))

const pureRooms = [
  ...['reports', 'freshness', 'profiles', 'gate', 'ci', 'security', 'lifecycle', 'delivery', 'html'],
  ...['views', 'render', 'upgrade', 'metrics'],
]
/** What pure rooms and those that look at the outside know nothing of. */
const above = ['db', 'store', 'operations', 'service', 'server', 'admin', 'client', 'cli', 'config']
const io =
  /^(node:(fs|net|tls|dgram|dns|http|https|http2|child_process|sqlite|os|worker_threads)(\/.*)?|kysely|commander)$/

/** Each library has one owner. Types of zod are fine anywhere. */
const owners: Record<string, string[]> = {
  commander: ['cli'],
  'fast-string-width': ['cli', 'render'],
  'fast-wrap-ansi': ['cli', 'render'],
  'html-to-text': ['cli'],
  'jq-wasm': ['cli'],
  '@inquirer/prompts': ['cli'],
  '@napi-rs/keyring': ['config'],
  kysely: ['db', 'store'],
  pg: ['db'],
  'node:sqlite': ['db'],
  semver: ['freshness'],
  'ae-cvss-calculator': ['security'],
  'age-encryption': ['operations'],
  zod: ['contract', 'config', 'collectors', 'agent'],
  nodemailer: ['notify'],
  croner: ['agent', 'delivery'],
  hono: ['html', 'mcp', 'render', 'server'],
  '@modelcontextprotocol/server': ['mcp'],
  '@modelcontextprotocol/hono': ['mcp'],
  '@hono/node-server': ['server'],
  'prom-client': ['server'],
  pino: ['util'],
  yaml: ['cli', 'collectors', 'declarative', 'gate', 'kube', 'profiles'],
  'fast-xml-parser': ['ci', 'collectors'],
  execa: ['cli', 'util'],
  undici: ['util'],
  'ipaddr.js': ['util'],
}

const libraries = forbid(({ from, to, local, kind }) => {
  if (local || (to.startsWith('node:') && !(to in owners)) || (to === 'zod' && kind === 'type')) return false
  return !owners[to]?.includes(roomFor(from))
})

function reachable(edges: Edge[], start: string): Set<string> {
  const found = new Set([start])
  for (const file of found)
    for (const edge of edges) if (edge.from === file && edge.kind === 'static') found.add(edge.to)
  return found
}

const nounsOnDemand: Rule = (edges) => {
  const fromRoot = edges.filter((edge) => edge.from === 'cli/program/root.ts')
  const nouns = new Set(fromRoot.filter((edge) => edge.kind === 'dynamic').map((edge) => edge.to))
  return [...reachable(edges, 'cli/program/root.ts')].filter(
    (file) => nouns.has(file) || file.startsWith('cli/commands/'),
  )
}

/** The nodes that lead back to themselves. */
function inCycles(edges: { from: string; to: string }[]): string[] {
  const next = Map.groupBy(edges, ({ from }) => from)
  const leadsBack = (start: string): boolean => {
    const found = new Set<string>()
    const open = [start]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const { to } of next.get(node) ?? []) {
        if (to === start) return true
        if (!found.has(to)) open.push(to)
        found.add(to)
      }
    }
    return false
  }
  return [...next.keys()].filter(leadsBack)
}

/** Types included. A file that is loaded on demand may use the one that loads it. */
const noFileCycles: Rule = (edges) => inCycles(edges.filter(({ local, kind }) => local && kind !== 'dynamic'))

/** Of imports of every kind. */
const noRoomCycles: Rule = (edges) =>
  inCycles(
    edges
      .filter(({ local }) => local)
      .map(({ from, to }) => ({ from: roomFor(from), to: roomFor(to) }))
      .filter(({ from, to }) => from !== to),
  )

/** In the order of their table in `docs/architecture.md`: a subject takes from itself and those above it. */
const subjects = toSubjects(readFileSync(join(root, 'docs/architecture.md'), 'utf8'))

function toSubjects(document: string): string[] {
  const [, table] = document.split(/^\| subject .*\n\|[-|]+\n/m)
  return [...table!.split('\n\n')[0]!.matchAll(/^\| `([\w-]+)` /gm)].map(([, subject]) => subject!)
}

const sortedRoom = /^(operations|store|service\/handlers)\//
const sortedPath = new RegExp(`^(?:operations|store|service/handlers)/(${subjects.join('|')})/[\\w-]+\\.ts$`)
const toSubject = (file: string): string | undefined => sortedPath.exec(file)?.[1]

/** Every subject records its events, which notifications alone read. */
const eventRecord = 'store/notifications/record-event.ts'

/** Handlers answer with the operations of any subject. */
const upwards: Rule = forbid(({ from, to }) => {
  const [one, other] = [toSubject(from), toSubject(to)]
  if (one === undefined || other === undefined || to === eventRecord) return false
  const isAnswered = from.startsWith('service/') && !to.startsWith('service/')
  return !isAnswered && subjects.indexOf(other) > subjects.indexOf(one)
})

/** Every rule with a source that breaks it. */
const rules: [title: string, rule: Rule, broken: Sources][] = [
  [
    'cli imports neither service, server, store nor db',
    apart(['cli'], ['service', 'server', 'store', 'db']),
    { 'cli/x/list.ts': `import type { Db } from '../../db/open.ts'` },
  ],
  [
    'service imports no server, admin, cli or client',
    apart(['service'], ['server', 'admin', 'cli', 'client']),
    { 'service/x.ts': `import type { Client } from '../client/client.ts'` },
  ],
  [
    'operations import no service, server, admin, cli or client',
    apart(['operations'], ['service', 'server', 'admin', 'cli', 'client']),
    { 'operations/x.ts': `import { invoke } from '../service/invoke.ts'` },
  ],
  [
    'admin imports no server, cli or client',
    apart(['admin'], ['server', 'cli', 'client']),
    { 'admin/x.ts': `import type { Client } from '../client/client.ts'` },
  ],
  [
    'client imports no server, and the service from the local client only',
    forbid(
      ({ from, to }) =>
        roomFor(from) === 'client' &&
        (roomFor(to) === 'server' || (roomFor(to) === 'service' && from !== 'client/local.ts')),
    ),
    { 'client/remote.ts': `import { invoke } from '../service/invoke.ts'` },
  ],
  [
    'store imports no operations, service, server, admin, cli or client',
    apart(['store'], ['operations', 'service', 'server', 'admin', 'cli', 'client']),
    { 'store/x.ts': `import type { Vault } from '../operations/keys/vault.ts'` },
  ],
  [
    'a subject takes nothing from subjects below it, not even a type',
    upwards,
    { 'operations/keys/x.ts': `const x = await import('../../store/runs/y.ts')` },
  ],
  [
    'handlers of a subject take nothing from handlers of subjects below it',
    upwards,
    { 'service/handlers/runs/x.ts': `import type { Y } from '../fleet/y.ts'` },
  ],
  [
    'collectors know no database and no command',
    apart(['collectors'], above),
    { 'collectors/x.ts': `import type { Db } from '../db/open.ts'` },
  ],
  [
    'db imports no store, operations, service, server, admin, cli or client',
    apart(['db'], ['store', 'operations', 'service', 'server', 'admin', 'cli', 'client']),
    { 'db/x.ts': `export * from '../store/runs/run.ts'` },
  ],
  [
    'only `serve` and its worker threads enter the server, on demand',
    forbid(
      ({ from, to, kind }) =>
        roomFor(to) === 'server' &&
        roomFor(from) !== 'server' &&
        !(from === 'context.ts' && to === 'server/serve.ts' && kind !== 'static') &&
        !(from === 'main.ts' && to === 'server/worker.ts' && kind === 'dynamic'),
    ),
    { 'context.ts': `import { serve } from './server/serve.ts'` },
  ],
  [
    'clients and what speaks HTTP are loaded on demand',
    forbid(
      ({ to, kind }) =>
        ['client/local.ts', 'client/remote.ts', 'admin/admin.ts', 'admin/store-file.ts', 'util/http.ts'].includes(to) &&
        kind === 'static',
    ),
    { 'context.ts': `import { createLocalClient } from './client/local.ts'` },
  ],
  [
    'help and completion of a noun do not wait for zod',
    (edges) =>
      edges
        .map(({ from }) => from)
        .filter((file, i, all) => /^cli\/commands\/[\w-]+\/index\.ts$/.test(file) && all.indexOf(file) === i)
        .filter((file) => reachable(edges, file).has('zod')),
    { 'cli/commands/x/index.ts': `import '../../../contract/x.ts'`, 'contract/x.ts': `import * as z from 'zod/mini'` },
  ],
  [
    'a client of one noun loads no shapes of others and no migration',
    (edges) =>
      ['client/local.ts', 'client/remote.ts'].flatMap((client) =>
        [...reachable(edges, client)].filter((file) =>
          /^(contract\/(routes|openapi)|db\/migrations)\/(?!index)/.test(file),
        ),
      ),
    { 'client/local.ts': `import { routes } from '../contract/routes/label.ts'` },
  ],
  [
    'the root command loads its nouns on demand',
    nounsOnDemand,
    {
      'cli/program/root.ts': `import './help.ts'`,
      'cli/program/help.ts': `import { x } from '../commands/reports/index.ts'`,
    },
  ],
  [
    'starting loads no library and no store',
    (edges) =>
      [...reachable(edges, 'main.ts')].filter(
        (file) => file in owners || ['db', 'store', 'cli'].includes(roomFor(file)),
      ),
    { 'main.ts': `import './context.ts'`, 'context.ts': `import { DatabaseSync } from 'node:sqlite'` },
  ],
  [
    'pure rooms do no input or output',
    forbid(({ from, to, local }) => pureRooms.includes(roomFor(from)) && !local && io.test(to)),
    { 'reports/x.ts': `import { readFile } from 'node:fs/promises'` },
  ],
  [
    'pure rooms take nothing from db, store, operations, service, server, admin, client, cli or config',
    apart(pureRooms, above),
    { 'freshness/x.ts': `import type { Env } from '../config/env.ts'` },
  ],
  [
    'declarative does no input or output, and changes nothing but through a client',
    (edges) => [
      ...forbid(({ from, to, local }) => roomFor(from) === 'declarative' && !local && io.test(to))(edges),
      ...onlyFrom('declarative', ['declarative', 'contract', 'errors', 'util', 'client'])(edges),
      ...forbid(({ from, to, kind }) => roomFor(from) === 'declarative' && roomFor(to) === 'client' && kind !== 'type')(
        edges,
      ),
    ],
    { 'declarative/x.ts': `import { readFile } from 'node:fs/promises'` },
  ],
  [
    'scan knows no database, service or command',
    apart(['scan'], above),
    { 'scan/x.ts': `import { plain } from '../cli/io.ts'` },
  ],
  [
    'spool knows no database, service or command, and sends through a client that it is given',
    (edges) => [
      ...apart(['spool'], ['db', 'store', 'operations', 'service', 'server', 'admin', 'cli'])(edges),
      ...forbid(({ from, to, kind }) => roomFor(from) === 'spool' && roomFor(to) === 'client' && kind !== 'type')(
        edges,
      ),
    ],
    { 'spool/x.ts': `import { createRemoteClient } from '../client/remote.ts'` },
  ],
  [
    'submit knows no terminal, service or database, and calls a client that it is given',
    (edges) => [
      ...apart(['submit'], ['db', 'store', 'operations', 'service', 'server', 'admin', 'cli', 'context'])(edges),
      ...forbid(({ from, to, kind }) => roomFor(from) === 'submit' && roomFor(to) === 'client' && kind !== 'type')(
        edges,
      ),
      ...forbid(({ from, to }) => roomFor(from) === 'submit' && /^(commander|node:(tty|readline))$/.test(to))(edges),
    ],
    { 'submit/x.ts': `import type { Cli } from '../cli/command.ts'` },
  ],
  [
    'agent knows no terminal and no server',
    apart(['agent'], ['server', 'admin', 'cli', 'context']),
    { 'agent/x.ts': `import type { Cli } from '../cli/command.ts'` },
  ],
  [
    'what submit stands on does not know it',
    apart(['spool', 'scan', 'gate', 'reports', 'profiles', 'client', 'config', 'contract', 'util'], ['submit']),
    { 'spool/x.ts': `import { submit } from '../submit/submit.ts'` },
  ],
  [
    'contract imports contract and util only',
    onlyFrom('contract', ['contract', 'util']),
    { 'contract/x.ts': `import { severityFor } from '../reports/finding-index.ts'` },
  ],
  [
    'util imports errors and util only',
    onlyFrom('util', ['errors', 'util']),
    { 'util/x.ts': `import type { Run } from '../contract/cluster-report.ts'` },
  ],
  [
    'channels import channels, errors and util only, and from the contract the table of channels and choices',
    (edges) => [
      ...onlyFrom('notify', ['notify', 'contract', 'errors', 'util'])(edges),
      ...forbid(
        ({ from, to }) =>
          roomFor(from) === 'notify' &&
          roomFor(to) === 'contract' &&
          !/\/(channels|channel-table|choices)\.ts$/.test(to),
      )(edges),
    ],
    { 'notify/x/deliver.ts': `import type { Subscription } from '../../contract/subscription.ts'` },
  ],
  ['errors imports nothing of ours', onlyFrom('errors', []), { 'errors.ts': `import './util/json.ts'` }],
  [
    'no file imports itself by way of others, not even a type',
    noFileCycles,
    {
      'util/a.ts': `import './b.ts'`,
      'util/b.ts': `export { c } from './c.ts'`,
      'util/c.ts': `import type { A } from './a.ts'`,
    },
  ],
  [
    'no room imports itself by way of others',
    noRoomCycles,
    {
      'freshness/a.ts': `import { highest } from '../security/b.ts'`,
      'security/b.ts': `export const highest = 1`,
      'security/c.ts': `const x = await import('../freshness/d.ts')`,
    },
  ],
  ['every library is used by its owner only', libraries, { 'server/x.ts': `import * as z from 'zod/mini'` }],
  ['every library has an owner', libraries, { 'util/x.ts': `import leftPad from 'left-pad'` }],
  [
    'every dynamic import names its module, but for a folder',
    forbid(({ specifier }) => specifier === undefined),
    { 'cli/x.ts': 'await import(noun)' },
  ],
]

const routeName = Object.keys(toNoun).join('|')
/** A name in quotes or as a member of the table. */
const namedRoute = new RegExp(`(['"])(?:${routeName})\\1|\\broutes\\.(?:${routeName})\\b`, 'g')
/** A call, or the type of its input or answer. */
const isCaller = /\b(?:call\w*|download)(?:<[^>]*>)?\(\s*$|\b(?:RouteInput|RouteAnswer|ReceivedAnswer)<$/
const routeTable = /^contract\/(?:routes\/|nouns\.ts$|openapi\/examples\.ts$)|^service\/handlers\/|^mcp\/tools\//

/** Files that treat a route by its name, which a trait in the table should say instead. */
function routesByName(sources: Sources): string[] {
  return Object.entries(sources).flatMap(([file, source]) => {
    if (routeTable.test(file)) return []
    const code = withoutComments(source)
    const before = (index: number) => code.slice(Math.max(0, index - 40), index)
    const uses = [...code.matchAll(namedRoute)].filter(({ index }) => !isCaller.test(before(index)))
    return uses.map(({ 0: text, index }) => `${file}: ${before(index)}${text}`)
  })
}

/** Where the process is ended, and how often. */
function toExits(sources: Sources): Record<string, number> {
  const counts = Object.entries(sources).map(([file, source]) => {
    const exits = withoutComments(source).match(/\bprocess\s*\??\.\s*(?:exitCode|exit|reallyExit|abort|kill)\b/g)
    return [file, exits?.length ?? 0] as const
  })
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

const sources: Sources = Object.fromEntries(
  globSync('**/*.ts', { cwd: join(root, 'src') }).map((file) => [
    file.replaceAll('\\', '/'),
    readFileSync(join(root, 'src', file), 'utf8'),
  ]),
)

interface Recipe {
  title: string
  files: string[]
}

/** The lists below "How to add a thing" in `docs/architecture.md`. */
function toRecipes(document: string): Recipe[] {
  const chapter = document.split('\n## ').find((part) => part.startsWith('How to add a thing'))!
  return chapter
    .split('\n### ')
    .slice(1)
    .map((part) => ({
      title: part.split('\n')[0]!,
      files: [...part.matchAll(/^- `src\/([^`]+)`/gm)].map(([, file]) => file!),
    }))
}

/** The example of each list, as its files mention it; of a label's field other files may do so as well. */
const examples: Record<string, { pattern: RegExp; besides?: RegExp }> = {
  'A scanner format, such as `popeye`': { pattern: /\bpopeye\b/i },
  'An output format, such as `csv`': { pattern: /\brenderCsv\b/ },
  'A notification channel, such as `slack`': { pattern: /\bslack\/deliver\.ts|\bslack: / },
  "A source of the agent's jobs, such as `collect`": {
    pattern: /\bagent\/(?:sources\/|run-)collect\.ts|\{ collect \} from '\.\/collect/,
  },
  // A route has its example in the table or here.
  'A route, such as `getProduct`': { pattern: /\bgetProduct\b/, besides: /^contract\/openapi\/examples\.ts$/ },
  'A page, such as `agents`': { pattern: /\bagentsPage\b/ },
  'A command, such as `stats`': { pattern: /commands\/stats\/|newCommand\(\s*'stats'|newNoun\('stats'/ },
  'A column of a finding, such as `is_unrated`': {
    pattern: /\bis_unrated\b/,
    // A gate does not ask for severities that the scanner does not give.
    besides: /^gate\/judge-findings\.ts$/,
  },
  'A field of a label, such as `label_color`': {
    pattern: /\blabel_color\b|\bcolor: text\(\)/,
    besides: /./,
  },
}

describe('the scanner of imports', () => {
  test.each<[string, Import[]]>([
    [`import a from './a.ts'`, [{ specifier: './a.ts', kind: 'static' }]],
    [`import a, { b } from './a.ts'`, [{ specifier: './a.ts', kind: 'static' }]],
    [`import * as z from "zod/mini"`, [{ specifier: 'zod/mini', kind: 'static' }]],
    [`import './a.ts'`, [{ specifier: './a.ts', kind: 'static' }]],
    [`import data from './a.json' with { type: 'json' }`, [{ specifier: './a.json', kind: 'static' }]],
    [`import {\n  a,\n  type B,\n} from './a.ts'`, [{ specifier: './a.ts', kind: 'static' }]],
    [`import type { A } from './a.ts'`, [{ specifier: './a.ts', kind: 'type' }]],
    [`import type * as z from 'zod/mini'`, [{ specifier: 'zod/mini', kind: 'type' }]],
    [`import { type A } from './a.ts'`, [{ specifier: './a.ts', kind: 'static' }]],
    [`export { a } from './a.ts'`, [{ specifier: './a.ts', kind: 'static' }]],
    [`export * as a from './a.ts'`, [{ specifier: './a.ts', kind: 'static' }]],
    [`export type { A } from './a.ts'`, [{ specifier: './a.ts', kind: 'type' }]],
    [`export { a }\nimport type { B } from './b.ts'`, [{ specifier: './b.ts', kind: 'type' }]],
    [`const a = await import('./a.ts')`, [{ specifier: './a.ts', kind: 'dynamic' }]],
    [`type A = typeof import('./a.ts')`, [{ specifier: './a.ts', kind: 'type' }]],
    [`const a = await import(name)`, [{ specifier: undefined, kind: 'dynamic' }]],
    [`const a = await import(\`./\${name}/a.ts\`)`, [{ specifier: './*/a.ts', kind: 'dynamic' }]],
    [`const a = await import(\`./\${name}\`)`, [{ specifier: undefined, kind: 'dynamic' }]],
    [`process.getBuiltinModule('node:fs')`, [{ specifier: 'node:fs', kind: 'dynamic' }]],
    [`// import a from './a.ts'\n/* await import('./b.ts') */`, []],
    [`const url = 'https://a.b' // ' \nimport a from './a.ts'`, [{ specifier: './a.ts', kind: 'static' }]],
    [`export const from = 'x'\nexport type A = 'y'\nexport default 'z'`, []],
  ])('reads %j', (source, imports) => {
    expect(toImports(source)).toEqual(imports)
  })

  test('finds every source file and its imports', () => {
    expect(Object.keys(sources)).toEqual(expect.arrayContaining(['main.ts', 'cli/program/root.ts', 'db/migrations.ts']))
    const edges = toEdges(sources)
    const unknown = edges.filter((edge) => edge.local && edge.to.endsWith('.ts') && !(edge.to in sources))
    expect(unknown).toEqual([])
    expect(edges).toContainEqual({
      specifier: './client/local.ts',
      kind: 'dynamic',
      from: 'context.ts',
      to: 'client/local.ts',
      local: true,
    })
    expect(edges).toContainEqual({
      specifier: './*/deliver.ts',
      kind: 'dynamic',
      from: 'notify/index.ts',
      to: 'notify/slack/deliver.ts',
      local: true,
    })
    expect(edges).toContainEqual({
      specifier: 'commander',
      kind: 'static',
      from: 'cli/program/root.ts',
      to: 'commander',
      local: false,
    })
  })
})

describe('the architecture', () => {
  test('has no file at the top of the CLI, and a folder for each noun', () => {
    const files = Object.keys(sources).filter((file) => file.startsWith('cli/'))
    expect(files.filter((file) => file.split('/').length === 2)).toEqual([])
    expect(files.filter((file) => /^cli\/commands\/[^/]+$/.test(file))).toEqual([])
  })

  test.each(rules)('keeps: %s', (_, rule) => {
    expect(rule(toEdges(sources))).toEqual([])
  })

  test.each(rules)('would notice a breach of: %s', (_, rule, broken) => {
    expect(rule(toEdges(broken))).not.toEqual([])
  })

  test('sorts operations, queries and handlers by subject', () => {
    const unsorted = (files: string[]) => files.filter((file) => sortedRoom.test(file) && !toSubject(file))
    expect(unsorted(Object.keys(sources))).toEqual([])
    const wrong = ['store/run.ts', 'operations/misc/x.ts', 'service/handlers/label.ts', 'store/runs/parts/x.ts']
    expect(unsorted([...wrong, 'store/runs/x.ts', 'service/service.ts'])).toEqual(wrong)
    expect(subjects.filter((subject) => !Object.keys(sources).some((file) => toSubject(file) === subject))).toEqual([])
  })

  test('lets main alone end the process, and the demo when it is interrupted', () => {
    const { 'main.ts': _, ...others } = toExits(sources)
    expect(others).toEqual({ 'cli/commands/demo/index.ts': 1 })
    expect(sources['cli/commands/demo/index.ts']).toMatch(/\{ signal, end: \(\) => process\.exit\(code\) \}/)
    expect(toExits({ 'cli/x.ts': 'process.exitCode = 1 // process.exit()', 'cli/y.ts': '// process.exit(1)' })).toEqual(
      {
        'cli/x.ts': 1,
      },
    )
  })

  test('treats no route by its name outside the table, its handlers and callers', () => {
    expect(routesByName(sources)).toEqual([])
    const byName = [
      `if (name === 'uploadReport') x()`,
      `const x = ['getFeed']`,
      `routes.listKeys.answer`,
      `const x = ['listKeys']; call('getFeed')`,
    ]
    for (const source of byName) {
      expect(routesByName({ 'server/x.ts': source })).not.toEqual([])
    }
    expect(routesByName({ 'cli/x.ts': `client.call('getFeed', {})`, 'service/handlers/x.ts': `'getFeed'` })).toEqual([])
  })

  test('has letters beyond ASCII only where the build can escape them: in no regular expression and no template of a tag', () => {
    const written = Object.entries(sources).filter(([, source]) => !isAscii(Buffer.from(source)))
    const built = written.map(([file, source]) => [file, transformSync(source, { loader: 'ts' }).code] as const)
    const withoutComment = (code: string) => code.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    expect(written.length).toBeGreaterThan(0)
    expect(built.filter(([, code]) => !isAscii(Buffer.from(withoutComment(code)))).map(([file]) => file)).toEqual([])
  })

  test('begins transactions in one place, so that they nest', () => {
    const files = Object.entries(sources).filter(([, source]) => /\.transaction\(\)/.test(withoutComments(source)))
    expect(files.map(([file]) => file)).toEqual(['db/migrate.ts', 'db/transaction.ts', 'db/postgres/transaction.ts'])
  })

  test.each(toRecipes(readFileSync(join(root, 'docs/architecture.md'), 'utf8')))(
    'is extended as docs/architecture.md says: $title',
    ({ title, files }) => {
      const { pattern, besides } = examples[title]!
      const mentions = Object.keys(sources).filter((file) =>
        pattern.test(`${file}\n${withoutComments(sources[file]!)}`),
      )
      expect(mentions).toEqual(expect.arrayContaining(files))
      expect(mentions.filter((file) => !files.includes(file) && !besides?.test(file))).toEqual([])
    },
  )

  test('has a list in docs/architecture.md for each example', () => {
    const titles = toRecipes(readFileSync(join(root, 'docs/architecture.md'), 'utf8')).map(({ title }) => title)
    expect(titles).toEqual(Object.keys(examples))
  })

  test('links each list in CONTRIBUTING.md', () => {
    // As in links to headings on GitHub.
    const anchors = Object.keys(examples).map((title) =>
      title
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
    const links = [...contributing.matchAll(/^\| \[.*?\]\(docs\/architecture\.md#(.*?)\)/gm)].map(
      ([, anchor]) => anchor,
    )
    expect(links).toEqual(expect.arrayContaining(anchors))
  })

  test('lists each file of decisions in their index', () => {
    const folder = join(root, 'docs/decisions')
    const index = readFileSync(join(folder, 'README.md'), 'utf8')
    const listed = [...index.matchAll(/^\| \[.*?\]\((.*?)\)/gm)].map(([, file]) => file!)
    const files = globSync('*.md', { cwd: folder }).filter((file) => file !== 'README.md')
    expect(listed.sort()).toEqual(files.sort())
    expect(existsSync(join(root, 'docs/decisions.md')), 'an entry belongs into a file of docs/decisions').toBe(false)
  })

  test('dates each decision, the newest first', () => {
    for (const file of globSync('docs/decisions/*.md', { cwd: root })) {
      const entries = readFileSync(join(root, file), 'utf8')
        .match(/^#+ .*$/gm)!
        .slice(1)
      const dates = entries.map((entry) => /^## (\d{4}-\d\d-\d\d) \S/.exec(entry)?.[1] ?? entry)
      expect(dates, file).toEqual(dates.toSorted().reverse())
    }
  })

  test('exports the name of each type and shape from one file', () => {
    const files = new Map<string, string[]>()
    for (const [file, source] of Object.entries(sources)) {
      const names = [...source.matchAll(/^export (?:interface|type|class|const(?= [A-Z]\w*[a-z])) (\w+)/gm)]
      for (const name of new Set(names.map(([, name]) => name!))) files.set(name, [...(files.get(name) ?? []), file])
    }
    expect([...files].filter(([, found]) => found.length > 1)).toEqual([])
  })

  test('keeps the version equal to that of the package', () => {
    expect(version).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version)
  })
})

/** Where a color or its word stands in a renderer for another reason than an answer. */
const choosingTones = {
  'cli/commands/doctor/line.ts': 'the states of its checks are words of its JSON',
  'cli/commands/serve/index.ts': 'levels of a log',
  'cli/output/remarks.ts': 'draws the warnings of a note',
}
const tone =
  /\bcolor(?:\.(?:red|green|yellow)\b|\[)|class="(?:good|bad|warn|severity)\b|(?<!state: )'(?:good|bad|warn|red|green|yellow)'/

test('no renderer chooses the tone of an answer, which views do and `render/` draws', () => {
  const choosing = (all: Sources) =>
    Object.entries(all).flatMap(([file, source]) =>
      /^(?:cli|html|ci)\//.test(file) && tone.test(withoutComments(source)) ? [file] : [],
    )
  expect(choosing(sources).sort()).toEqual(Object.keys(choosingTones))
  const broken = [
    'io.color.red(text)',
    "painted('good')",
    'html`<span class="warn">`',
    'html`<b class="severity high">`',
    'color[colors[state]](cell)',
  ]
  for (const source of broken) expect(choosing({ 'html/x.ts': source })).toEqual(['html/x.ts'])
})

test('no page or file of a pipeline chooses an order, which views do', () => {
  const sorting = (all: Sources) =>
    Object.entries(all).flatMap(([file, source]) =>
      /^(?:html|ci)\//.test(file) && /\.(?:sort|toSorted)\((?!by[A-Z])/.test(withoutComments(source)) ? [file] : [],
    )
  // In the browser, by the column that somebody chose.
  expect(sorting(sources)).toEqual(['html/script.ts'])
  expect(sorting({ 'ci/x.ts': 'rows.toSorted((a, b) => a.score - b.score)' })).toEqual(['ci/x.ts'])
})

/** What is said or ordered in one place, and how it looks where somebody does it anew. */
const once: Record<string, { again: RegExp; in: string[] }> = {
  'the order of severities': {
    again:
      /\b(?:\w*[sS]everities|Severity\.options)\.(?:indexOf|lastIndexOf)\(|\border\b[^\n]*= \w*[sS]everities\n|\[\s*'critical',\s*'high',\s*'medium'|'none',\s*'low',\s*'medium'/,
    in: [
      ...['contract/choices.ts', 'contract/openapi/webhooks.ts', 'contract/severity-rank.ts', 'lifecycle/step-text.ts'],
      // A code of stored records, a weight, and words of foreign formats.
      ...['reports/finding-index.ts', 'reports/finding-records.ts', 'reports/walk-records.ts', 'views/artifact.ts'],
      ...['reports/formats/kubescape/operator.ts', 'reports/formats/sarif/severity.ts'],
      // With `unrated`, which only the counts of a step have.
    ],
  },
  'a plural': {
    again: /=== 1 \? '' : 's'|=== 1 \? nouns? :|=== 1 \? '(\w+)' : '\1s'|=== 1 \? '(\w+)y' : '\2ies'|=== 1 \? '1 \w/,
    in: ['util/words.ts'],
  },
  'a sentence within another': {
    again: /\.replace\(\/(?:\(\?<!\\\.\))?\\\.\$\/, ''\)/,
    // Names of hosts, and a list of foreign texts that is cut.
    in: ['submit/comment-api.ts', 'util/address-range.ts', 'util/http-guard.ts', 'util/words.ts'],
  },
  'the length of a day': { again: /const \w+ = 86_400\b/, in: ['util/time.ts'] },
  'the title of a column': {
    // Other words for titles that views have.
    again:
      /title: '(?:Finding|Last day|Why|Why it did not run|Next safe step|Same line|Did not run|Scan|Last heard of|Recommendation|Runs in|At|Target|Security fix in its notes)'/,
    // Of lists of reasons, and of data that has both lines.
    in: ['cli/commands/reports/freshness.ts', 'views/fleet.ts'],
  },
  'that a list is cut': {
    again: /\band \$\{[^}]*\} more\b/,
    // Stored with findings, so that their words are part of what is compared.
    in: ['reports/formats/collection.ts', 'reports/formats/sarif/place.ts', 'util/words.ts'],
  },
}

test.each(Object.entries(once))('says once: %s', (_, { again, in: allowed }) => {
  const found = Object.keys(sources).filter((file) => again.test(withoutComments(sources[file]!)))
  expect(found.sort()).toEqual(allowed.toSorted())
})

/** A title in quotes, by the files that have it. */
function titlesIn(all: Sources): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [file, source] of Object.entries(all)) {
    if (!/^(?:cli|html|views)\//.test(file) || file === 'views/titles.ts') continue
    for (const [, title] of withoutComments(source).matchAll(/(?:\btitle: |\b\w+Column\()'([^']+)'/g)) {
      found.set(title!, (found.get(title!) ?? new Set()).add(file))
    }
  }
  return found
}

test('has the title of columns of several files in one place', () => {
  const again = (all: Sources) => [...titlesIn(all)].filter(([, files]) => files.size > 1).map(([title]) => title)
  const known: readonly string[] = Object.values(titles)
  expect(again(sources)).toEqual([])
  expect([...titlesIn(sources).keys()].filter((title) => known.includes(title))).toEqual([])
  expect(again({ 'cli/x.ts': "{ title: 'Owner' }", 'html/y.ts': "nameColumn('Owner', 'owner')" })).toEqual(['Owner'])
})

/** Files that read sentences of other programs, or texts with a grammar of their own. */
const readingSentences = {
  'agent/install.ts': 'the service manager, and the mark of a written file with a sum',
  'cli/output/jq.ts': 'jq',
  'cli/program/root.ts': 'commander',
  'client/failure.ts': 'servers that other programs answer for',
  'db/postgres/driver.ts': 'pg',
  'db/postgres/errors.ts': 'pg',
  'gate/undecided-line.ts': 'the API server',
  'operations/keys/stale-key.ts': 'an error of a trigger, which has no other field',
  'reports/fix/draft.ts': 'scanners',
  'reports/fix/objects.ts': 'scanners',
  'reports/fix/trouble.ts': 'scanners',
  'reports/fix/workloads.ts': 'scanners',
  'reports/not-run-text.ts': 'scanners',
  'reports/place-check.ts': 'ids of checks of a place',
  'reports/read-check.ts': 'scanners',
  'reports/subject.ts': 'scanners',
  'reports/unread-kinds.ts': 'scanners',
}

/** Looks for words of a text: in quotes, or in a regular expression. */
const searched =
  /\.(?:includes|startsWith|endsWith|indexOf|match|matchAll|replace|replaceAll|search|split)\(\s*(?:(['"`])((?:\\.|(?!\1).)*?)\1|\/((?:\\.|\[[^\]\n]*\]|[^/\n])+)\/)/g
const tested = /\/((?:\\.|\[[^\]\n]*\]|[^/\n*])(?:\\.|\[[^\]\n]*\]|[^/\n])*)\/[a-z]*\s*\.(?:test|exec)\(/g
const twoWords = /[A-Za-z]{2,}:? [A-Za-z]{2,}|[A-Z][a-z]+ $/

test('reads no fact from a sentence of its own', () => {
  const reading = (all: Sources) =>
    Object.entries(all).flatMap(([file, source]) => {
      const code = withoutComments(source)
      const searches = [...code.matchAll(searched)].map(([, , text, pattern]) => text ?? pattern!)
      const tests = [...code.matchAll(tested)].map(([, pattern]) => pattern!)
      return [...searches, ...tests].some((words) => twoWords.test(words)) ? [file] : []
    })
  expect(reading(sources).sort()).toEqual(Object.keys(readingSentences))
  for (const source of [
    "text.startsWith('Support of ')",
    'line.replace(/^Required before [^:]*: /, "")',
    '/No way back/.test(text)',
  ])
    expect(reading({ 'views/x.ts': source })).toEqual(['views/x.ts'])
})

/** What words for people say, read back. */
const readBack: Record<string, RegExp> = {
  'a search in what a function words':
    /\b\w+(?:Text|Words?|Said|Title|Line)\((?:[^()]|\([^()]*\))*\)\??\.(?:includes|startsWith|endsWith|match|matchAll|indexOf|search|split|replace|replaceAll)\(/,
  'a title or a label': /\btitle\s*[!=]==|\blabel\s*[!=]== '\w|\.includes\((?:\w+\.)?title\)|\bkey: (?:title|label)\b/,
  'a sentence as a whole':
    /\b(?:says|sentence|reason|because)\s*[!=]== '[^']* |[!=]==\s*(?:\w+\.)?says\b|\bsays\s*[!=]==|\.(?:includes|has)\((?:\w+\.)?(?:says|sentence)\)/,
  'a part of a sentence':
    /\b(?:reason|says|sentence|detail|recommendation|evidence|rule)\??\.(?:match|matchAll|search|split|replace|replaceAll|startsWith|includes)\((?!'\\n')|\/[a-z]*\.(?:test|exec)\((?:\w+\.)?(?:reason|says|sentence|detail|recommendation|rule)\b/,
  'a tone': /\btone\s*[!=]== '(?:good|bad|warn|soft)'/,
  'a dash for nothing': /\b(?:value\(\w+\)|environment|cluster_name) [!=]== '-'|\/\^-\$\//,
  'a version in a name': /[nN]ame\w*\??\.(?:endsWith|startsWith|split|replace)\((?:\w+\.)?\w*[vV]ersion\b/,
  'the numbers of a version that was read before': /\/\\d\+\(\?:\\\.\\d\+\)\*\/\.exec/,
  'what a page shows': /\.textContent\s*[!=]==|\.replace\(\/<\[\^>\]/,
}

/** Where these are no words of ours. */
const readingBack: Record<string, string> = {
  'cli/output/remarks.ts': 'draws a note',
  'gate/undecided-line.ts': 'the API server',
  'reports/fix/containers.ts': 'a draft of a command',
  'reports/unread-kinds.ts': 'scanners',
  'scan/equal-reasons.ts': 'the API server',
  'util/words.ts': 'takes the full stop off',
  'views/attention.ts': 'a word of the wire that this relt does not know',
}

test('reads no fact back from words, which a field says', () => {
  const reading = (all: Sources) =>
    Object.entries(all).flatMap(([file, source]) => {
      const code = withoutComments(source)
      return Object.values(readBack).some((form) => form.test(code)) ? [file] : []
    })
  expect(reading(sources).sort()).toEqual(Object.keys(readingBack))
  for (const source of [
    'changeText(run)?.endsWith(mark)',
    'evidence.find(({ says }) => says === line)',
    'lines.includes(says)',
    'noted.has(sentence)',
    'columns.filter(({ title }) => title !== hidden)',
    'hidden.includes(column.title)',
    'name.endsWith(version) ? name.slice(0, -version.length) : name',
    '/^([a-z.]+): (.+)$/s.exec(reason)',
    '/^(?:major-behind|eol)\\b/.test(rule)',
    "reason.split(': ')",
    "label === 'Score' ? marked : number(figure)",
    "key: title.toLowerCase().replace(' ', '_')",
    "notes.filter(({ tone }) => tone === 'warn')",
    "(column.value(row) ?? '').replace(/^-$/, '')",
    "rows.some((row) => value(row) !== '-')",
    '/\\d+(?:\\.\\d+)*/.exec(found.version)',
    "fold.textContent === 'Expand all'",
    "markup.toString().replace(/<[^>]*>/g, '')",
  ])
    expect(reading({ 'views/x.ts': source }), source).toEqual(['views/x.ts'])
})

/** Files that a search for projects loads; all others follow from these. */
const loadedBySearch = {
  'in this process': [
    ...[
      'client/local.ts',
      'service/handlers/catalog/project.ts',
      'contract/routes/catalog.ts',
      'config/config-file.ts',
    ],
    ...['main.ts', 'cli/program/root.ts', 'cli/commands/projects/index.ts'],
  ],
  'from a server': [
    ...['client/remote.ts', 'util/http.ts', 'contract/routes/catalog.ts', 'contract/received/catalog.ts'],
    ...['config/config-file.ts', 'config/select-server.ts', 'client/server-options.ts'],
    ...['main.ts', 'cli/program/root.ts', 'cli/commands/projects/index.ts'],
  ],
}

const relativePath = /(['"])\.\.?\/[^'"\n]*\1/g

/**
 * The start of a command takes as long as what it loads. Raise a bound only for what every command needs; what few need is
 * imported where it is used. Paths of imports do not count: the build has none.
 */
test.each<[keyof typeof loadedBySearch, number]>([
  ['in this process', 218_000],
  ['from a server', 179_000],
])('a search answered %s loads no more than it needs', (way, mostBytes) => {
  const edges = toEdges(sources)
  const loaded = new Set(loadedBySearch[way].flatMap((file) => [...reachable(edges, file)]))
  const ours = [...loaded].filter((file) => file in sources)
  expect(ours.filter((file) => ['reports', 'freshness', 'gate', 'agent', 'lifecycle'].includes(roomFor(file)))).toEqual(
    [],
  )
  const bytes = ours.reduce((sum, file) => sum + withoutComments(sources[file]!).replace(relativePath, '').length, 0)
  expect(bytes).toBeLessThan(mostBytes)
})

test('test files that start first exist', () => {
  expect([...startingProcesses, ...longestFiles].filter((file) => !existsSync(join(root, file)))).toEqual([])
})
