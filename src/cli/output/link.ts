import type { Env } from '../../config/env.ts'

const programs = new Set(['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'zed'])
const terminals = new Set(['alacritty', 'xterm-kitty', 'xterm-ghostty'])

/** Whether the terminal supports links (OSC 8), by its variables. `FORCE_HYPERLINK` (1 or 0) takes precedence. */
export function canLink(env: Env): boolean {
  if (env.FORCE_HYPERLINK) return env.FORCE_HYPERLINK !== '0'
  if (env.CI) return false
  const { TERM = '', TERM_PROGRAM = '', VTE_VERSION = '' } = env
  // VTE 0.50.0 crashes on links.
  return !!env.WT_SESSION || programs.has(TERM_PROGRAM) || terminals.has(TERM) || Number(VTE_VERSION) > 5000
}

/** Only web URLs become links; normalized by `URL`, they have no control characters. */
export function link(text: string, address: string): string {
  const url = URL.parse(address)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return text
  return `\u001b]8;;${url.href}\u001b\\${text}\u001b]8;;\u001b\\`
}
