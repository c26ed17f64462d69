import { expect, test } from 'vitest'
import { jsonDocs, type Schema } from '../../scripts/json-docs.ts'
import { openApiDocument } from '../../src/contract/openapi.ts'
import { strangeKeys } from '../helpers/json-keys.ts'

test('the shapes of a release name the commands that print them', () => {
  expect(jsonDocs()).toMatch(/^\| .*`relt reports list`.* \| `GET \/cluster-reports` \| \[(\w+)\]\(#/m)
})

/** Names of headers, and shapes with those of scanners, of their settings, and of the inventory that goes into their reports. */
const foreign =
  /^(?:AksSettings|BatchPart|Batch|Check|EksSettings|GkeSettings|Inventory|OutputSettings|PrometheusSettings|RadarSettings|Report|ScanSettings)$/

test('all other names of the wire are in snake case', () => {
  const shapes = openApiDocument('').components.schemas as Record<string, Schema>
  const names = Object.entries(shapes).flatMap(([name, shape]) => (foreign.test(name) ? [] : namesIn(shape)))
  expect(names.length).toBeGreaterThan(1000)
  expect([...new Set(names)].filter((name) => !/^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(name))).toEqual([])
})

function namesIn(schema: Schema): string[] {
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema
  const inner = [...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...oneOf, ...allOf]
  return [...Object.keys(properties), ...inner.flatMap(namesIn)]
}

test('a name in another case would be noticed in the JSON of a command', () => {
  expect(strangeKeys(['x', '--json'], '{"items":[{"isEnded":true}]}')).toEqual(['isEnded'])
  expect(strangeKeys(['x', '--json'], '{"report":{"clusterName":"a"}}')).toEqual([])
})
