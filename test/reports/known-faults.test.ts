import { expect, test } from 'vitest'
import { findFault } from '../../src/reports/known-faults.ts'

const name = 'A check'
const net019 = { id: 'NET019', name, reason: 'Unable to check due to: unsupported operator "exists"' }

test.each([
  net019,
  { id: 'WRK003', name, reason: "Script block execution failed: The term '\\$ready/$desired\\' is not recognized" },
  {
    id: 'NODE002',
    name,
    reason: 'Script block execution failed: Cannot convert value "14Gi" to type "System.Int32".',
  },
  {
    id: 'PROM006',
    name,
    reason: 'Node sizing recommendations are withheld until at least 7 days of Prometheus history',
  },
  { id: 'PROM007', name, reason: 'Insufficient Prometheus history' },
])('$id cannot run by a fault of its scanner', (check) => {
  expect(findFault(check)).toMatch(/\(KubeBuddy, .*\)$/)
})

test.each([
  { ...net019, reason: 'Unable to check due to: services is forbidden' },
  { ...net019, id: 'NET020' },
  { id: 'NODE002', name, reason: 'Script block execution failed: nodes is forbidden' },
  { id: 'PROM001', name, reason: 'Insufficient Prometheus history' },
  { id: 'PROM006', name, reason: 'Prometheus is not reachable' },
])('$id with the reason $reason is no such fault', (check) => {
  expect(findFault(check)).toBeUndefined()
})
