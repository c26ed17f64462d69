import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Context } from '../../context.ts'

/**
 * Shows text in the user's pager. Returns false, without output, if there is none. `chop` keeps long lines, to scroll
 * sideways.
 */
export async function pageText({ env, stdout }: Context, text: string, { chop = false } = {}): Promise<boolean> {
  const [command, ...args] = pagerFor(env)
  if (!command || !('fd' in stdout) || typeof stdout.fd !== 'number') return false
  // Ctrl-C is for the pager, where it may stop a search.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  try {
    const pager = spawn(command, args, {
      stdio: ['pipe', stdout.fd, 'inherit'],
      // Without a UTF-8 locale, `less` shows codes instead of non-ASCII characters.
      env: { LESS: chop ? 'FRSX' : 'FRX', LESSCHARSET: 'utf-8', LV: '-c', ...env },
    })
    return await feed(pager, text)
  } finally {
    process.off('SIGINT', ignore)
  }
}

/** The words of `RELT_PAGER`, else `PAGER`, else `less`, without a shell. Undefined for an empty value or `cat`. */
function pagerFor(env: Context['env']): string[] {
  const words = (env.RELT_PAGER ?? env.PAGER ?? 'less').split(/\s+/).filter(Boolean)
  return words.join(' ') === 'cat' ? [] : words
}

async function feed(pager: ChildProcess, text: string): Promise<boolean> {
  const { stdin } = pager
  // Quitting the pager early is not an error.
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
