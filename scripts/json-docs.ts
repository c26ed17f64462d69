/** The shapes of JSON answers, by the commands that print them; a release has them as json.md. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openApiDocument } from '../src/contract/openapi.ts'
import { type Route, type RouteName, routes } from '../src/contract/routes.ts'

export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
}

interface Content {
  content?: Record<string, { schema: Schema }>
}

interface Answer {
  route: Route
  schema: Schema
  commands: string[]
}

const document = openApiDocument('')
const shapes = document.components.schemas as Record<string, Schema>

export function jsonDocs(): string {
  const answers = answersOfCommands()
  const rows = answers.map(({ route, schema, commands }) => {
    return `| ${commands.map((name) => `\`${name}\``).join(', ')} | \`${route.method} ${route.path}\` | ${linked(schema)} |`
  })
  const names = reachable(answers.map(({ schema }) => schema))
  return `# Shapes of JSON

With \`--json\`, a command that calls one route prints its answer, often with more fields. Names are in snake case, except for those of scanners and their settings, and lists of relt's
own are called \`items\` where they are paged. Times are \`YYYY-MM-DD HH:MM:SS\` in UTC. A \`?\` marks a field that may be absent: other servers
and earlier versions do not have it.

| Commands that call it | Route | Answer |
| --- | --- | --- |
${rows.join('\n')}

${names.map((name) => `## ${name}\n\n\`\`\`ts\n${typeOf(shapes[name]!, '')}\n\`\`\`\n`).join('\n')}`
}

function answersOfCommands(): Answer[] {
  const callers = toCallers()
  return (Object.entries(routes) as [RouteName, Route][]).flatMap(([name, route]) => {
    const operation = document.paths[route.path]![route.method.toLowerCase()] as { responses: Record<string, Content> }
    const schema = (operation.responses['200'] ?? operation.responses['201'])?.content?.['application/json']?.schema
    const commands = callers.get(name)
    return schema && commands ? [{ route, schema, commands }] : []
  })
}

const folder = fileURLToPath(new URL('../src/cli/commands', import.meta.url))

/** Commands by the routes that they call, or that files beside theirs call from which they import. */
function toCallers(): Map<string, string[]> {
  const callers = new Map<string, Set<string>>()
  for (const file of globSync('**/*.ts', { cwd: folder }).map((each) => each.replaceAll('\\', '/'))) {
    const source = readFileSync(join(folder, file), 'utf8')
    const imports = [...source.matchAll(/^import (.*|\{[^}]*\}) from '\.\/([\w-]+\.ts)'/gm)]
    const parts = toParts(source)
    const { verbs = [], others = [] } = Object.groupBy(parts, (part) => (isVerb(part, parts) ? 'verbs' : 'others'))
    for (const verb of verbs) {
      const used = withUsed(verb, others)
      const beside = imports
        .filter(([, names]) => names!.match(/\w+/g)!.some((name) => mentions(used, name)))
        .map(([, , other]) => readFileSync(join(folder, dirname(file), other!), 'utf8'))
      for (const [, route] of [used, ...beside].flatMap((each) => [...each.matchAll(/\bcall\(\s*'(\w+)'/g)]))
        callers.set(route!, (callers.get(route!) ?? new Set()).add(toCommand(file, verb)))
    }
  }
  return new Map([...callers].map(([route, names]) => [route, [...names].sort()]))
}

/** A verb, or one of several that a function of the file makes: `const pause = pausing('pause', …)`. */
function isVerb(part: string, parts: string[]): boolean {
  const [, made = 'verb'] = /^(?:export )?const \w+ = (\w+)\('/.exec(part) ?? []
  return (
    /^export default verb\(|^(?:export )?const \w+ = verb\(/.test(part) ||
    parts.some((each) => new RegExp(`^const ${made} = \\(name: string\\b[^]*\\bverb\\(`).test(each))
  )
}

/** What a file declares at its top. */
const toParts = (source: string): string[] =>
  source.split(/^(?=(?:export )?(?:default |async )*(?:const|function|verb|noun)\b)/m)

/** A part with all others that it mentions. */
function withUsed(part: string, others: string[]): string {
  const found = new Set([part])
  for (const each of found) {
    for (const other of others) {
      const name = /^(?:export )?(?:async )?(?:const|function) (\w+)/.exec(other)?.[1]
      if (name !== undefined && mentions(each, name)) found.add(other)
    }
  }
  return [...found].join('')
}

/** Words of texts do not count. */
const mentions = (source: string, name: string): boolean =>
  new RegExp(`(?<!\\.)\\b${name}\\b`).test(
    source.replace(/'[^'\n]*'/g, '').replace(/`[^`]*`/g, (text) => text.match(/\$\{[^}]*\}/g)?.join() ?? ''),
  )

/** `relt reports list`. */
function toCommand(file: string, verb: string): string {
  const name = /verb\(\{\n {2}name: '([\w-]+)',|^(?:export )?const \w+ = \w+\('([\w-]+)'/
    .exec(verb)
    ?.slice(1)
    .find(Boolean)
  return ['relt', ...dirname(file).split('/'), ...(name === undefined ? [] : [name])].join(' ')
}

const toName = (ref: string): string => ref.split('/').at(-1)!

const linked = (schema: Schema): string =>
  schema.$ref ? `[${toName(schema.$ref)}](#${toName(schema.$ref).toLowerCase()})` : `\`${typeOf(schema, '')}\``

/** The named shapes of these and of all that they name, by name. */
function reachable(schemas: Schema[]): string[] {
  const found = new Set<string>()
  const visit = (text: string) => {
    for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name!)) continue
      found.add(name!)
      visit(JSON.stringify(shapes[name!]))
    }
  }
  visit(JSON.stringify(schemas))
  return [...found].sort()
}

/** As a type of TypeScript. */
function typeOf(schema: Schema, indent: string): string {
  const { $ref, const: constant, enum: words, anyOf, oneOf, allOf, type } = schema
  if ($ref) return toName($ref)
  if (constant !== undefined) return JSON.stringify(constant)
  if (words) return words.map((word) => JSON.stringify(word)).join(' | ')
  const union = anyOf ?? oneOf
  if (union) return [...new Set(union.map((each) => typeOf(each, indent)))].join(' | ')
  if (allOf) return allOf.map((each) => typeOf(each, indent)).join(' & ')
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each }, indent)).join(' | ')
  if (type === 'array') return toList(typeOf(schema.items ?? {}, indent))
  if (type === 'object' || schema.properties) return toObject(schema, indent)
  return type === undefined ? 'unknown' : type
}

const toList = (item: string): string =>
  /^[\w"]+$|\}$/.test(item) && !item.includes(' | {') ? `${item}[]` : `(${item})[]`

function toObject({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (!properties || Object.keys(properties).length === 0) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'
    return `{ [name: string]: ${values} }`
  }
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${inner}${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)}\n`,
  )
  return `{\n${fields.join('')}${indent}}`
}
