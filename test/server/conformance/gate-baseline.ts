import type { Table } from './table.ts'
import { boolean, inQuery, otherThan, required, type Values, words } from './values.ts'

/** Excludes the members of the good call. */
const runId: Values = { ok: [], unknown: ['crun_x'], bad: ['', 'x', ...otherThan('text')] }

const day: Values = { ok: ['2099-12-31'], bad: ['', 'x', '2020-01-01', '2099-12-31 00:00:00', ...otherThan('text')] }

export const gateBaselineTable: Table<'listGateBaselines' | 'takeInRun'> = {
  listGateBaselines: {
    good: ({ ids }) => ({ query: { run_id: ids.run, rules: 'new>=high,score-drop>5' } }),
    query: {
      run_id: required({ ...inQuery.runId, ok: [], unknown: ['crun_x'], bad: [...inQuery.runId.bad, ''] }),
      rules: required({
        ok: ['', 'new>=high', 'new>=high,regressed>=low'],
        bad: ['x', 'new>high', 'x'.repeat(2001), ['new>=high', 'new>=high']],
        inside: { ok: [], bad: otherThan('text') },
      }),
      baseline: { ok: ['previous', 'last-passed', 'none', 'branch:main', '2026-08-01'], bad: ['x'.repeat(401)] },
      taken_in: { ok: ['', '2026-08-01', '0a1b,2026-08-01'], bad: ['x'.repeat(4001)] },
    },
    answer: {
      success: 'true',
      items: [
        {
          rule: 'string',
          run_id: 'string?',
          at: 'timestamp?',
          why: 'passed|taken_in|begun|asked|new_subject|none',
          held: 'anything',
          taken_in: 'anything',
        },
      ],
    },
  },
  takeInRun: {
    good: async ({ makeRun }) => ({ body: { run_id: await makeRun(), reason: 'Accepted' } }),
    body: { run_id: required(runId), reason: required(words(1000)), until: day, dry_run: boolean },
    answer: {
      success: 'true',
      run_id: /^crun_[A-Za-z0-9-]+$/,
      cluster_name: 'string',
      environment: 'string',
      format: 'kubebuddy',
      subject: 'string?',
      takes_in: 'anything',
      drops: 'anything',
      until: 'string?',
      reason: 'string',
      made_at: 'timestamp',
      made_by: 'string',
    },
  },
}
