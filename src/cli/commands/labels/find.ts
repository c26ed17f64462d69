import type { Label } from '../../../contract/label.ts'
import { type ResolvableKind, resolve } from '../../input/resolve.ts'
import type { Cli } from '../../program/command.ts'

const labels: ResolvableKind<Label> = {
  kind: 'label',
  load: async (client) => (await client.call('listLabels', {})).labels,
  describe: ({ id, label_name, label_color }) => ({ id: String(id), name: label_name, about: label_color }),
  hint: 'List them: relt labels list',
}

/** Finds a label by id or name; on a terminal, without either, from a list. */
export function findLabel(cli: Cli, idOrName: string | undefined): Promise<Label> {
  return resolve(cli, idOrName, labels)
}
