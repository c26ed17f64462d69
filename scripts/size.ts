/** How large relt is: syntax nodes of `src` rather than lines, and what users meet. `npm run size -- --all` prints all figures. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Node, type Program, parseSync } from 'oxc-parser'
import { routes } from '../src/contract/routes.ts'
import { pages } from '../src/html/pages/index.ts'
import { commandTree } from './command-tree.ts'

const root = fileURLToPath(new URL('../src', import.meta.url))

export interface Syntax {
  nodes: number
  functions: number
  /** Functions of a module that it does not export and mentions once. */
  calledOnce: number
  /** `...{ a, b }`, `...[a, b]` and `...([a, b] as const)`, each as `file: source`. */
  spreadLiterals: string[]
}

/** The files by their paths. */
export function countSyntax(sources: Record<string, string>): Syntax {
  const counted: Syntax = { nodes: 0, functions: 0, calledOnce: 0, spreadLiterals: [] }
  for (const [file, source] of Object.entries(sources)) {
    const program = parse(file, source)
    const mentions = new Map<string, number>()
    for (const node of nodesIn(program)) {
      counted.nodes++
      if (isFunction(node)) counted.functions++
      if (node.type === 'SpreadElement' && isLiteral(node.argument))
        counted.spreadLiterals.push(`${file}: ${source.slice(node.start, node.end)}`)
      if (node.type === 'Identifier') mentions.set(node.name, (mentions.get(node.name) ?? 0) + 1)
    }
    // Once where it is declared, once where it is used.
    counted.calledOnce += privateFunctions(program).filter((name) => mentions.get(name) === 2).length
  }
  return counted
}

/** Exports that one other file imports. */
export function countSingleUses(sources: Record<string, string>): number {
  const users = new Map<string, Set<string>>()
  for (const [file, source] of Object.entries(sources)) {
    for (const { module, imported } of importsIn(parse(file, source))) {
      if (!module.startsWith('.')) continue
      const name = `${resolve('/', dirname(file), module)} ${imported}`
      users.set(name, (users.get(name) ?? new Set()).add(file))
    }
  }
  return [...users.values()].filter(({ size }) => size === 1).length
}

/** What users meet. */
export async function countSurface(sources: Record<string, string>): Promise<Record<string, number>> {
  const [program, ...commands] = await commandTree()
  const longNames = ({ options }: { options: { term: string }[] }) =>
    options.map(({ term }) => /--[\w-]+/.exec(term)?.[0] ?? term)
  const strings = Object.entries(sources).flatMap(([file, source]) => [...textsIn(parse(file, source))])
  return {
    verbs: commands.filter(({ verbs }) => verbs.length === 0).length,
    options: new Set([program!, ...commands].flatMap(longNames)).size,
    variables: new Set(strings.flatMap((text) => text.match(/\bRELT(_[A-Z\d]+)+/g) ?? [])).size,
    pages: pages.length,
    'routes beyond the interface': Object.values(routes).filter((route) => 'extension' in route).length,
  }
}

/** The sources of relt. */
export function readSources(): Record<string, string> {
  const files = globSync('**/*.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'))
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

const parsed = new Map<string, Program>()

function parse(file: string, source: string): Program {
  const program = parsed.get(source) ?? parseSync(file, source).program
  parsed.set(source, program)
  return program
}

function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && typeof value.type === 'string') yield value as Node
  for (const child of Object.values(value)) yield* nodesIn(child)
}

const isFunction = ({ type }: Node): boolean =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'

function isLiteral(node: Node): boolean {
  const isWrapped = node.type === 'ParenthesizedExpression' || node.type === 'TSAsExpression'
  return isWrapped ? isLiteral(node.expression) : node.type === 'ObjectExpression' || node.type === 'ArrayExpression'
}

function privateFunctions({ body }: Program): string[] {
  return body.flatMap((statement) => {
    if (statement.type === 'FunctionDeclaration') return statement.id ? [statement.id.name] : []
    if (statement.type !== 'VariableDeclaration') return []
    return statement.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && init && isFunction(init) ? [id.name] : [],
    )
  })
}

function importsIn({ body }: Program): { module: string; imported: string }[] {
  return body.flatMap((statement) => {
    if (statement.type !== 'ImportDeclaration') return []
    return statement.specifiers.flatMap((each) =>
      each.type === 'ImportSpecifier' && each.imported.type === 'Identifier'
        ? [{ module: statement.source.value, imported: each.imported.name }]
        : [],
    )
  })
}

function* textsIn(program: Program): Generator<string> {
  for (const node of nodesIn(program)) {
    if (node.type === 'Literal' && typeof node.value === 'string') yield node.value
    if (node.type === 'TemplateElement') yield node.value.raw
    if (node.type === 'Identifier') yield node.name
  }
}

const words = (figures: Record<string, number>): string =>
  Object.entries(figures)
    .map(([name, figure]) => `${figure.toLocaleString('en')} ${name}`)
    .join(', ')

if (import.meta.main) {
  const sources = readSources()
  const { nodes, functions, calledOnce } = countSyntax(sources)
  console.log(words({ nodes, ...(await countSurface(sources)) }))
  if (process.argv.includes('--all'))
    console.log(
      words({
        files: Object.keys(sources).length,
        functions,
        'private functions called once': calledOnce,
        'exports with one user': countSingleUses(sources),
      }),
    )
}
