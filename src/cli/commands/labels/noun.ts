import { InvalidArgumentError } from 'commander'
import type { Label, LabelInput } from '../../../contract/label.ts'
import { ReltError } from '../../../errors.ts'
import type { Column } from '../../../render/terminal/table.ts'
import type { EveryKey } from '../../../util/every-key.ts'
import { titles } from '../../../views/titles.ts'
import { askName } from '../../input/ask.ts'
import { confirm, yesOption } from '../../input/prompt.ts'
import { type ResolvableKind, resolve } from '../../input/resolve.ts'
import type { Io } from '../../output/io.ts'
import { member, show } from '../../output/output.ts'
import { say, sayDone } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { doEach } from '../../program/each.ts'
import { noun, verb } from '../../program/verb.ts'
import { chooseSubscription, getSubscription, listSubscriptions } from '../subs/find.ts'

/** Idempotent. */
async function setAttached(cli: Cli, labelName: string | undefined, projects: string[], wanted: boolean) {
  const { id: label_id, label_name } = await findLabel(cli, labelName)
  const names = projects.length > 0 ? projects : [await chooseSubscription(cli)]
  const all = await listSubscriptions(cli)
  const set = async (idOrName: string) => {
    const { id: subscription_id, product_id, name, labels } = await getSubscription(cli, all, idOrName)
    const changed = wanted !== (labels ?? []).some((label) => label.id === label_id)
    const params = { subscription_id: String(subscription_id) }
    if (changed && wanted) await cli.call('attachLabels', { params, body: { label_ids: [label_id] } })
    else if (changed) await cli.call('detachLabel', { params: { ...params, label_id: String(label_id) } })
    say(cli, `${name} ${verbs[`${wanted}`][`${changed}`]} the label ${label_name}`)
    return { product_id, name, subscription_id, label_id, attached: wanted, changed }
  }
  await doEach(names, set, (results) => show(cli, { body: { success: true, results } }))
}

/** Words by action, then by whether it changed anything. */
const verbs = {
  true: { true: 'has', false: 'already has' },
  false: { true: 'no longer has', false: 'did not have' },
} as const

/** Parses `#1f6feb`; the sign is optional, because it starts a comment in shells. */
function parseColor(text: string) {
  if (/^#?[0-9a-f]{6}$/i.test(text)) return text.startsWith('#') ? text : `#${text}`
  throw new InvalidArgumentError('Use a color such as 1f6feb.')
}

export const list = verb({
  name: 'list',
  summary: 'List your labels',
  examples: ['relt labels list', 'relt labels list --json'],
  run: async (cli) => {
    const found = await cli.call('listLabels', {})
    const empty = 'No labels yet. Create one: relt labels create NAME'
    await show(cli, { body: found, rows: found.labels, columns, empty })
  },
})

const swatch = '■ '

const columns = (io: Io): Column<Label>[] => Object.values(toColumn(io))

const toColumn = ({ color, isTerminal }: Io): Record<keyof Label, Column<Label>> => ({
  id: { title: titles.id, value: member('id'), align: 'right' },
  label_name: { title: 'Label', value: member('label_name'), style: color.bold, min: 12 },
  label_color: {
    title: 'Color',
    value: (label) => (isTerminal ? swatch : '') + label.label_color,
    style: (cell, label) => cell.replace(swatch, color.hex(label.label_color, swatch)),
  },
  subscription_count: {
    title: 'Subscriptions',
    value: member('subscription_count'),
    align: 'right',
  },
})

const grey = '#6e7781'

export const create = verb({
  name: 'create',
  summary: 'Create a label',
  examples: ['relt labels create edge', 'relt labels create edge --color 1f6feb'],
  args: [['[name]', 'name of the label']],
  options: {
    '--color <rrggbb>': { help: `color (default: ${grey})`, parse: parseColor },
  },
  run: async (cli, name, { color }) => {
    const label: EveryKey<LabelInput> = { label_name: name ?? (await askName(cli)), label_color: color ?? grey }
    const answer = await cli.call('createLabel', { body: label })
    await sayDone(cli, `Created the label ${label.label_name} (${answer.label_id})`, answer)
  },
})

export const edit = verb({
  name: 'edit',
  summary: 'Change the name or color of a label',
  examples: ['relt labels edit edge --name network-edge', 'relt labels edit 3 --color 1f6feb'],
  args: [['[label]', 'name or id']],
  options: {
    '--name <name>': 'new name',
    '--color <rrggbb>': { help: 'new color', parse: parseColor },
  },
  run: async (cli, idOrName, { name, color }) => {
    if (name === undefined && color === undefined) {
      throw new ReltError('usage', 'Nothing to change.', { hint: 'Add --name or --color.' })
    }
    const label = await findLabel(cli, idOrName)
    const body: EveryKey<LabelInput> = { label_name: name ?? label.label_name, label_color: color ?? label.label_color }
    await sayDone(
      cli,
      `Changed the label ${label.label_name}: now ${body.label_name}, ${body.label_color}`,
      await cli.call('updateLabel', { params: { id: String(label.id) }, body }),
    )
  },
})

export const remove = verb({
  name: 'delete',
  summary: 'Delete a label and detach it from all subscriptions',
  examples: ['relt labels delete edge', 'relt labels delete 3 --yes'],
  args: [['[label]', 'name or id']],
  options: yesOption,
  run: async (cli, idOrName, { yes }) => {
    const { id, label_name, subscription_count } = await findLabel(cli, idOrName)
    await confirm(cli, { yes }, `Delete the label ${label_name}? Subscriptions that have it: ${subscription_count}.`)
    await sayDone(cli, `Deleted the label ${label_name}`, await cli.call('deleteLabel', { params: { id: String(id) } }))
  },
})

const attaching = (name: string, summary: string, wanted: boolean) =>
  verb({
    name,
    summary,
    examples: [`relt labels ${name} edge nginx`, `relt labels ${name} edge nginx istio 42`],
    args: [
      ['[label]', 'name or id'],
      ['[projects...]', 'slugs, names or ids of projects you are subscribed to'],
    ],
    run: (cli, label, projects) => setAttached(cli, label, projects, wanted),
  })

export const attach = attaching('attach', 'Attach a label to subscriptions', true)
export const detach = attaching('detach', 'Detach a label from subscriptions', false)

export default noun({
  examples: ['relt labels create edge --color 1f6feb', 'relt labels attach edge nginx istio'],
  verbs: [list, create, edit, remove, attach, detach],
})

const labels: ResolvableKind<Label> = {
  kind: 'label',
  load: async (client) => (await client.call('listLabels', {})).labels,
  describe: ({ id, label_name, label_color }) => ({ id: String(id), name: label_name, about: label_color }),
  hint: 'List them: relt labels list',
}

/** Finds a label by id or name; on a terminal, without either, from a list. */
function findLabel(cli: Cli, idOrName: string | undefined) {
  return resolve(cli, idOrName, labels)
}
