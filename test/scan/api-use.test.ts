import { expect, test } from 'vitest'
import { ApiUses } from '../../src/scan/api-use.ts'
import { InventoryBuilder } from '../../src/scan/inventory-builder.ts'
import { takeObject } from './cluster.ts'

const written = (name: string, ...fields: [manager: string, apiVersion: string][]) => ({
  metadata: {
    name,
    namespace: 'shop',
    managedFields: fields.map(([manager, apiVersion]) => ({ manager, apiVersion })),
  },
})

test('versions that managers wrote objects with are told, once for each object', () => {
  const uses = new ApiUses()
  const object = written('backup', ['helm', 'batch/v1beta1'], ['helm', 'batch/v1beta1'], ['kcm', 'batch/v1'])
  // A list may be read twice.
  for (const item of [object, object, written('sync', ['kubectl', 'batch/v1beta1']), { metadata: {} }, null]) {
    uses.addObject(item, 'CronJob', 'batch/v1')
  }
  expect(uses.all()).toEqual([
    {
      group: 'batch',
      version: 'v1beta1',
      kind: 'CronJob',
      by: 'managedFields',
      users: ['shop/backup (helm)', 'shop/sync (kubectl)'],
      count: 2,
    },
  ])
})

test('versions in which objects may still be stored are told', () => {
  const builder = new InventoryBuilder()
  const versions = [
    { name: 'v1alpha2', served: false, storage: false },
    { name: 'v1', served: true, storage: true },
  ]
  const definition = (storedVersions: string[]) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'issuers.x.io' },
    spec: { group: 'x.io', names: { kind: 'Issuer' }, versions },
    status: { storedVersions },
  })
  takeObject(definition(['v1alpha2', 'v1']), builder)
  expect(builder.finish().apis).toEqual([
    { group: 'x.io', version: 'v1alpha2', kind: 'Issuer', by: 'storedVersions', users: ['issuers.x.io'], count: 1 },
  ])
})

test('deprecated APIs that were requested are told, and other metrics are not', () => {
  const uses = new ApiUses()
  const labels =
    'group="flowcontrol.apiserver.k8s.io",removed_release="1.32",resource="flowschemas",subresource="",version="v1beta3"'
  for (const line of [
    `apiserver_requested_deprecated_apis{${labels}} 1`,
    `apiserver_requested_deprecated_apis{${labels.replace('v1beta3', 'v1beta2')}} 0`,
    `apiserver_requested_deprecated_apis_x{${labels}} 1`,
    '# HELP apiserver_requested_deprecated_apis',
    'apiserver_requested_deprecated_apis{} 1',
  ]) {
    uses.addMetric(line)
  }
  expect(uses.all()).toMatchObject([{ version: 'v1beta3', kind: 'flowschemas', by: 'metrics', users: [] }])
})
