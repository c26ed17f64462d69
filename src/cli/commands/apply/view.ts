import type { Action } from '../../../declarative/action.ts'
import type { ActionPlan } from '../../../declarative/plan.ts'
import { paint } from '../../../render/terminal/draw.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { actionTones } from '../../../views/outcome.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import type { CommandResult } from '../../output/output.ts'
import { member } from '../../output/output.ts'
import type { Cli } from '../../program/command.ts'

const signs = { add: '+', change: '~', remove: '-' } as const

/** Longer texts are truncated. */
const maxShown = 60

interface View {
  actions: Action[]
  /** Number of completed actions; if there is a failure, it is that of the next one. */
  applied: number
  failure?: unknown
}

/** `source` is the file with the desired state. */
export function foundActions(view: View, source: string): CommandResult<Action> {
  const { actions, applied, failure } = view
  return {
    body: {
      success: failure === undefined,
      // Without secrets.
      actions: actions.map(({ change, kind, name, fields }) => ({ change, kind, name, fields })),
      applied,
    },
    rows: actions,
    columns: () => [
      { title: titles.change, value: member('change') },
      { title: titles.kind, value: member('kind') },
      { title: titles.name, value: member('name') },
      { title: 'Values', value: ({ fields }) => fields.map(formatLine).join('; ') },
    ],
    text: (io) => actions.map((action, i) => renderAction(io, action, toState(view, i))).join(''),
    empty: `No changes: everything matches ${source}.`,
  }
}

/** `2 to add, 1 to remove`. */
export function countActions(actions: Action[]) {
  const counts = ['add', 'change', 'remove'].map((change) => {
    const count = actions.filter((action) => action.change === change).length
    return count > 0 ? `${count} to ${change}` : ''
  })
  return counts.filter(Boolean).join(', ')
}

export function toName({ kind, name }: Action) {
  return `${kind} ${name}`
}

/** Warns about webhooks whose environment variables are not set, so that they were not compared. */
export function printUnset({ io, json }: Cli, { unset }: ActionPlan) {
  if (unset.length === 0 || json) return
  io.err(io.errColor.dim(`Webhooks not compared, because these variables are not set: ${unset.join(', ')}\n`))
}

export function renderAction(io: Pick<Io, 'color'>, action: Action, state = '') {
  const head = paint(io, actionTones[action.change])(`${signs[action.change]} ${plain(toName(action))}`)
  return `${head}${state}\n${action.fields.map((field) => `    ${plain(formatLine(field))}\n`).join('')}`
}

function toState({ applied, failure }: View, index: number): string {
  if (failure === undefined || index < applied) return ''
  return index === applied ? '  (failed)' : '  (not applied)'
}

function formatLine({ name, from, to }: Action['fields'][number]) {
  return from === null ? `${name}: ${shorten(to)}` : `${name}: ${shorten(from)} → ${shorten(to)}`
}

function shorten(text: string) {
  const letters = [...text]
  return letters.length > maxShown ? `${letters.slice(0, maxShown - 1).join('')}…` : text || '""'
}
