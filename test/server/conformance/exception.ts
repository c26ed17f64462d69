import type { Table } from './table.ts'
import { id, inQuery, otherThan, required, type Values, words } from './values.ts'

type ExceptionRoute = 'listExceptions' | 'createException' | 'getException' | 'expireException'

const exception = {
  exception_id: /^exc_[0-9a-f]{20}$/,
  fingerprint: 'string?',
  check: 'string?',
  namespace: 'string?',
  resource: 'string?',
  artifact: 'string?',
  advisory: 'string?',
  justification: 'string?',
  cluster_name: 'string?',
  environment: 'string?',
  reason: 'string',
  expires_on: 'string',
  'next_release?': { product_id: 'integer', slug: 'string?', name: 'string', version: 'string?' },
  state: 'active|expired',
  created_at: 'timestamp',
  created_by: 'string',
  ended_at: 'timestamp?',
  ended_by: 'string?',
  'matched?': 'integer',
  'failed_gates?': [{ cluster_name: 'string', environment: 'string', run_id: 'id', matched: 'integer' }],
}
const saved = { success: 'true', ...exception }

/** Excludes the members of the good call. */
const another = (bad: unknown[]): Values => ({ ok: [], bad: [...bad, ...otherThan('text')] })

const day: Values = {
  ok: ['2026-09-01', '2099-12-31'],
  bad: [
    ...['', ' ', '2026-08-31', '2026-02-30', '2026-13-01', '2026-9-1', '2027-01-01 00:00:00', 'tomorrow', '30d'],
    ...otherThan('text'),
  ],
}

export const exceptionTable: Table<ExceptionRoute> = {
  listExceptions: {
    good: () => ({}),
    query: {
      page: inQuery.whole(1, 1_000_000),
      per_page: inQuery.whole(1, 100),
      state: inQuery.choice('active', 'expired'),
      expiring_days: inQuery.whole(1, 365),
      ended_days: inQuery.whole(1, 365),
      include_matched: inQuery.flag,
    },
    answer: { page: 'integer', per_page: 'integer', total: 'integer', total_pages: 'integer', items: [exception] },
  },
  createException: {
    good: () => ({
      body: {
        check: 'SEC001',
        namespace: 'shop',
        cluster_name: 'shop',
        reason: 'Moves in October',
        expires_on: '2026-10-31',
      },
    }),
    body: {
      check: words(300),
      namespace: words(300),
      resource: words(300),
      fingerprint: another(['', 'x', 'A'.repeat(32), '0'.repeat(31), '0'.repeat(33), '0'.repeat(32)]),
      artifact: another(['', 'x'.repeat(301), 'nginx:*']),
      advisory: another(['', 'CVE', 'x'.repeat(101), 'CVE-2026-1234']),
      justification: another(['', 'other', 'component_not_present']),
      all_clusters: { ok: [false], bad: otherThan('boolean') },
      cluster_name: required(words(253)),
      environment: words(100),
      reason: required(words(1000)),
      expires_on: required(day),
      next_release_of: id,
    },
    answer: saved,
  },
  getException: {
    good: ({ ids }) => ({ params: { exception_id: ids.exception } }),
    query: { include_matched: inQuery.flag },
    answer: exception,
  },
  expireException: {
    good: async ({ makeException }) => ({ params: { exception_id: await makeException() } }),
    answer: saved,
  },
}
