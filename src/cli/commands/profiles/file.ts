import { existsSync } from 'node:fs'
import { unwritable } from '../../../util/file-error.ts'
import { replaceFile } from '../../../util/replace-file.ts'
import { confirm } from '../../input/prompt.ts'
import { show } from '../../output/output.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { getFile } from './addressed.ts'
import { findProfile } from './find.ts'
import { warn } from './remarks.ts'

export default verb({
  name: 'file',
  summary: 'Print the scanner configuration of a profile',
  examples: ['relt profiles file shop-prod', 'relt profiles file shop-prod --out kubebuddy-config.yaml'],
  args: [['[profile]', 'name or id']],
  options: {
    '--out <file>': 'write it to a file only you can read',
    '-y, --yes': 'replace an existing file',
  },
  run: async (cli, idOrName, { out, yes }) => {
    const { config_id } = await findProfile(cli, idOrName)
    const { file, warnings } = await getFile(cli, config_id)
    warn(cli, warnings)
    if (out === undefined) return show(cli, { body: file, verbatim: file.content })
    if (existsSync(out)) await confirm(cli, { yes }, `Replace ${out}?`)
    writeOut(out, file.content)
    await sayDone(cli, `Wrote ${out}`, file)
    warn(cli, toComments(file.content))
  },
})

/** The comments at the top of the file. */
function toComments(content: string) {
  const lines = content.split('\n')
  return lines
    .slice(
      0,
      lines.findIndex((line) => !line.startsWith('# ')),
    )
    .map((line) => line.slice(2))
}

/** Replaces the file, because the mode or link of an existing one could make it readable by others. */
function writeOut(file: string, content: string) {
  try {
    replaceFile(file, content)
  } catch (error) {
    throw unwritable(file, error)
  }
}
