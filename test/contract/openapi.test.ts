import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../src/contract/openapi.ts'
import { type Route, routes } from '../../src/contract/routes.ts'

interface Operation {
  responses: Record<string, unknown>
  parameters: { name: string; in: string }[]
}

const document = openApiDocument('1.0.0')

function operationOf(route: Route): Operation {
  return document.paths[route.path]![route.method.toLowerCase()] as Operation
}

test('the document is valid OpenAPI 3.1', async () => {
  expect(await new Validator().validate(structuredClone(document) as never)).toMatchObject({ valid: true })
})

test.each(Object.entries(routes) as [string, Route][])(
  '%s is described with every status it can answer',
  (_, route) => {
    const { responses, parameters } = operationOf(route)
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining([String(route.status ?? 200), '400', '401', '403', '429', '500']),
    )
    expect('413' in responses).toBe(route.body !== undefined)
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(inPath)
  },
)
