import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Context } from '../../context.ts'
import { ReltError } from '../../errors.ts'

/** A text that a user edits, in a private file. */
export interface Draft {
  file: string
  /** Waits until the editor is closed, and returns the text. */
  edit: () => Promise<string>
  write: (text: string) => Promise<void>
  remove: () => Promise<void>
}

export async function openDraft({ env }: Context, name: string, text: string): Promise<Draft> {
  const file = join(await mkdtemp(join(tmpdir(), 'relt-')), name)
  const write = (text: string) => writeFile(file, text, { mode: 0o600 })
  await write(text)
  return {
    file,
    write,
    edit: async () => {
      await runEditor(env, file)
      return readFile(file, 'utf8')
    },
    remove: () => rm(dirname(file), { recursive: true, force: true }),
  }
}

async function runEditor(env: Context['env'], file: string): Promise<void> {
  const [program, ...args] = formatWords(env.VISUAL || env.EDITOR || (process.platform === 'win32' ? 'notepad' : 'vi'))
  const { execa } = await import('execa')
  const options = { env, extendEnv: false, stdio: 'inherit', reject: false } as const
  const { failed, shortMessage } = await execa(program ?? 'vi', [...args, file], options)
  if (failed) throw new ReltError('internal', `The editor failed: ${shortMessage}`)
}

/** Splits `code --wait`, or `"C:\Program Files\Editor\editor.exe" -x`. */
function formatWords(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, ...parts]) => parts.find((part) => part) ?? '')
}
