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

interface Operation {
  parameters: { name: string; in: string; required: boolean }[]
  requestBody?: { content: { 'application/json': { schema: { properties?: object; required?: string[] } } } }
  responses: Record<string, unknown>
}

export function apiDocs(): string {
  const { paths } = openApiDocument('')
  const rows = (Object.entries(routes) as [RouteName, Route][]).map(([, route]) => {
    const operation = paths[route.path]![route.method.toLowerCase()] as Operation
    return [
      `\`${route.method} ${route.path}\`${route.extension ? ' *' : ''}`,
      accessWords[route.access],
      operation.parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name }) => name)
        .join(', '),
      bodyFields(operation).join(', '),
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

function bodyFields({ requestBody }: Operation): string[] {
  const { properties = {}, required = [] } = requestBody?.content['application/json'].schema ?? {}
  return Object.keys(properties).map((name) => (required.includes(name) ? `**${name}**` : name))
}

if (import.meta.main) writeFileSync('docs/api.md', apiDocs())
