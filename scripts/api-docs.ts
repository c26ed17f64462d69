/** Writes docs/api.md from the table of routes: `npm run docs`. A test keeps the two equal. */
import { writeFileSync } from 'node:fs'
import { openApiDocument } from '../src/contract/openapi.ts'
import { type Route, type RouteName, routes } from '../src/contract/routes.ts'

const accessWords: Record<Route['access'], string> = {
  public: 'anyone',
  user: 'signed in',
  pro: 'Pro, Pro Plus',
  admin: 'admins',
}

interface Schema {
  $ref?: string
  properties?: object
  required?: string[]
}

interface Operation {
  parameters: { name: string; in: string }[]
  'x-relt-at-most-one'?: string[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, unknown>
}

export function apiDocs(): string {
  const { paths, components } = openApiDocument('')
  const rows = (Object.entries(routes) as [RouteName, Route][]).map(([, route]) => {
    const operation = paths[route.path]![route.method.toLowerCase()] as Operation
    return [
      `\`${route.method} ${route.path}\`${route.extension ? ' *' : ''}`,
      accessWords[route.access],
      toQuery(operation),
      bodyFields(operation, components.schemas).join(', '),
      Object.keys(operation.responses).join(' '),
    ]
  })
  const heading = ['Route', 'For', 'Query', 'Body', 'Answers']
  const table = [heading, heading.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
  return `# The HTTP interface

Made by \`npm run docs\` from \`src/contract/routes.ts\`; do not edit. Paths are relative to \`/api/relt/v1\`. The whole
description, with every shape, is OpenAPI 3.1: \`relt openapi\`, or \`GET /api/relt/v1/openapi.json\` of a server. Fields in
bold are required. A star marks what goes beyond the published interface.

${table}
`
}

/** Parameters that exclude each other have bars between them. */
function toQuery({ parameters, 'x-relt-at-most-one': exclusive = [] }: Operation): string {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const others = names.filter((name) => !exclusive.includes(name))
  return [...(exclusive.length > 0 ? [exclusive.join(' \\| ')] : []), ...others].join(', ')
}

function bodyFields({ requestBody }: Operation, named: Record<string, Schema>): string[] {
  const { $ref } = requestBody?.content['application/json'].schema ?? {}
  if (!$ref) return []
  const { properties = {}, required = [] } = named[$ref.split('/').at(-1)!]!
  return Object.keys(properties).map((name) => (required.includes(name) ? `**${name}**` : name))
}

if (import.meta.main) writeFileSync('docs/api.md', apiDocs())
