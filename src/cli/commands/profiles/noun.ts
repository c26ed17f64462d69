import { noun } from '../../program/verb.ts'
import bootstrap from './bootstrap.ts'
import command from './command.ts'
import create from './create.ts'
import remove from './delete.ts'
import edit from './edit.ts'
import file from './file.ts'
import list from './list.ts'
import show from './show.ts'

export default noun({
  examples: ['relt profiles bootstrap --all', 'relt profiles command shop-prod --shell bash'],
  verbs: [list, show, create, edit, remove, command, file, bootstrap],
})
