import type { Table } from './table.ts'
import { otherThan, required } from './values.ts'

const policy = "gate:\n  fail_on: ['new>=high']\n"
const stored = { policy: 'string?', changed_at: 'timestamp?', changed_by: 'string?' }

export const gatePolicyTable: Table<'getGatePolicy' | 'setGatePolicy'> = {
  getGatePolicy: { good: () => ({}), answer: stored },
  setGatePolicy: {
    good: () => ({ body: { policy } }),
    body: {
      policy: required({
        ok: [policy, null],
        bad: [
          ...['', ' ', 'gate', 'gate: 1', 'gate: {fail_on: []}', "gate: {fail_on: ['worse']}", 'gate: {no: 1}', 'x: ['],
          ...['x'.repeat(65_537), ...otherThan('text', 'null')],
        ],
      }),
    },
    answer: { success: 'true', ...stored },
  },
}
