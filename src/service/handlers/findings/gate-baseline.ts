import { invalidParams } from '../../../errors.ts'
import { parseRule } from '../../../gate/rules.ts'
import { findBaselines, showHeld } from '../../../operations/runs/baseline.ts'
import { takeIn } from '../../../operations/runs/take-in.ts'
import { getRun } from '../../../store/runs/run.ts'
import type { StoredRun } from '../../../store/runs/stored-run.ts'
import { formatTimestamp } from '../../../util/time.ts'
import { change, type Handlers } from '../../handler.ts'

const listed = (text: string | undefined) => text?.split(',').filter((each) => each !== '') ?? []

const atOf = ({ run, at }: StoredRun) => ({ run_id: run.run_id, at: formatTimestamp(at) })

export const gateBaselineHandlers: Handlers<'gate-baseline'> = {
  async listGateBaselines({ db, vault, now }, { query, owner }) {
    const { run_id, rules, baseline: asked, taken_in } = query
    const run = await getRun(db, owner.id, run_id)
    const parsed = listed(rules).map((text) => {
      const rule = parseRule(text)
      if (!rule) throw invalidParams({ rules: `${JSON.stringify(text)} is not a rule` })
      return rule
    })
    const baselines = await findBaselines(db, run, parsed, { ownerId: owner.id, asked, takenIn: listed(taken_in), now })
    const keys = await vault()
    const items = baselines.map((found, i) => ({
      rule: parsed[i]!.text,
      ...(found.run ? atOf(found.run) : { run_id: null, at: null }),
      why: found.why,
      held: showHeld(keys, found.held),
      taken_in: found.takenIn ? { ...atOf(found.takenIn.run), until: found.takenIn.until, by: found.takenIn.by } : null,
    }))
    return { success: true, items }
  },

  async takeInRun({ db, vault, now }, { body, user, owner }) {
    const { clusterId } = await getRun(db, owner.id, body.run_id)
    const opened = await vault()
    return change(`cluster:${clusterId} runs`, async (trx) => {
      const run = await getRun(trx, owner.id, body.run_id)
      return { success: true, ...(await takeIn(trx, opened, run, { ...body, ownerId: owner.id, by: user, now })) }
    })
  },
}
