import { closeSync, openSync, writeSync } from 'node:fs'
import { ReltError } from '../../../../errors.ts'
import { unwritable } from '../../../../util/file-error.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { collect } from '../../scan/options.ts'
import { openAdmin } from '../command.ts'

export default verb({
  name: 'recovery-kit',
  summary: 'Export the master key, in plain text or for age recipients',
  examples: [
    'relt admin master-key recovery-kit',
    'relt admin master-key recovery-kit --out kit.txt',
    'relt admin master-key recovery-kit --recipient age1… --out kit.age',
  ],
  options: {
    '--out <file>': 'write the kit to a new file that only you can read',
    '--recipient <age1…>': { help: 'age recipient who can decrypt the kit (repeatable)', parse: collect },
    '--stdout': 'print the key even if standard output is not a terminal',
  },
  /** Requires an explicit target, so that the key does not end up in a pipe or log. Throws `usage`. */
  run: async (cli, options) => {
    const { out, recipient: recipients = [], stdout } = options
    const isShown = out === undefined && recipients.length === 0
    if (isShown && !stdout && !cli.io.isTerminal) {
      throw new ReltError('usage', 'Standard output is not a terminal, so the key would end up in a file or a pipe.', {
        hint: 'Use --out FILE or --recipient age1…, or confirm with --stdout.',
      })
    }
    const handle = out === undefined ? undefined : create(out)
    const kit = await (await (await openAdmin(cli)).store()).recoveryKit(recipients)
    if (handle === undefined) {
      return show({ ...cli, pager: false }, { body: { success: true, ...kit }, verbatim: kit.text })
    }
    writeSync(handle, kit.text)
    closeSync(handle)
    const { text: _, ...about } = kit
    say(cli, `Wrote ${out}`)
    await show(cli, { body: { success: true, ...about, file: out }, text: () => '' })
  },
})

/** Creates a new file without following links. */
function create(file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (cause) {
    throw unwritable(file, cause, 'Choose another file.')
  }
}
