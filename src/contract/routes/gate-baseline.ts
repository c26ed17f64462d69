import * as z from 'zod/mini'
import { RuleBaseline, TakeInRun, TakenIn } from '../gate-baseline.ts'
import { inner, runId, spaced } from '../patterns.ts'
import { toRoutes } from '../route.ts'
import { documented, requiredText, success, text } from '../shape.ts'

export const gateBaselineRoutes = toRoutes({
  listGateBaselines: {
    method: 'GET',
    path: '/gate-baselines',
    summary: 'List what rules of the gate compare a run with',
    components: { answer: 'GateBaselines' },
    role: 'viewer',
    query: z.object({
      run_id: documented(requiredText(100), { type: 'string', pattern: spaced(`(${inner(runId)})`) }),
      /** Rules about changes, separated by commas. */
      rules: text(2000),
      /** In place of each rule's own: see `compareReports`. */
      baseline: z.optional(text(400)),
      /** Commits and days (`YYYY-MM-DD`) that the policy takes in, separated by commas. */
      taken_in: z.optional(text(4000)),
    }),
    answer: z.object({ ...success, items: z.array(RuleBaseline) }),
    extension: true,
  },
  takeInRun: {
    method: 'POST',
    path: '/gate-baselines',
    conflicts: true,
    summary: 'Take in what a run has: gates compare later runs with it',
    role: 'member',
    heavy: true,
    body: TakeInRun,
    answer: TakenIn,
    status: 201,
    changesFigures: true,
    audit: 'baseline.take_in',
    extension: true,
  },
})
