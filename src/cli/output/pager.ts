import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Context } from '../../context.ts'

/** Shows text in the user's pager. False without one; nothing is shown then. `chop` keeps lines whole, to scroll sideways. */
export async function pageText({ env, stdout }: Context, text: string, { chop = false } = {}): Promise<boolean> {
  const [command, ...args] = pagerFor(env)
  if (!command || !('fd' in stdout) || typeof stdout.fd !== 'number') return false
  // Ctrl-C belongs to the pager: it may stop a search there, or nothing at all.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  try {
    const pager = spawn(command, args, {
      stdio: ['pipe', stdout.fd, 'inherit'],
      // `less` shows non-ASCII letters as codes where the locale is not UTF-8.
      env: { LESS: chop ? 'FRSX' : 'FRX', LESSCHARSET: 'utf-8', LV: '-c', ...env },
    })
    return await feed(pager, text)
  } finally {
    process.off('SIGINT', ignore)
  }
}

/** The words of `RELT_PAGER`, else `PAGER`, else `less`; no shell reads them. Empty, or `cat`: no pager. */
function pagerFor(env: Context['env']): string[] {
  const words = (env.RELT_PAGER ?? env.PAGER ?? 'less').split(/\s+/).filter(Boolean)
  return words.join(' ') === 'cat' ? [] : words
}

async function feed(pager: ChildProcess, text: string): Promise<boolean> {
  const { stdin } = pager
  // Leaving the pager early is no error.
  stdin?.on('error', () => {})
  try {
    await once(pager, 'spawn')
  } catch {
    return false
  }
  stdin?.end(text)
  if (pager.exitCode === null && pager.signalCode === null) await once(pager, 'close')
  return true
}
