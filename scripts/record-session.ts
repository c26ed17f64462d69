/** Runs real commands on a terminal of 100 columns and draws what they print: `npm run docs` writes docs/session.svg. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { runCommand } from '../src/cli/program/root.ts'
import { createContext } from '../src/context.ts'
import { drawTerminal } from './draw-terminal.ts'

const columns = 100
/** A day after the bundled catalog's, so that the picture changes only when the program does. */
const now = Date.UTC(2026, 8, 1, 12) / 1000

const before = [
  ['reports', 'upload', 'examples/shop-1.json', '--finished-at', '2026-07-22 05:30:00'],
  ['reports', 'upload', 'examples/shop-2.json', '--finished-at', '2026-08-05 05:30:00'],
]
const shown = [
  ['reports', 'upload', 'examples/shop-3.json', '--compare'],
  ['reports', 'freshness'],
  ['projects', 'search', 'argo'],
]

/** What a terminal gets. Throws when a command fails. */
export async function recordSession(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'relt-session-'))
  const env = { RELT_HOME: home, RELT_KEYCHAIN: 'off', FORCE_COLOR: '1' }
  let text = ''
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    text += chunk
    done()
  }
  const terminal = Object.assign(new Writable({ write }), { isTTY: true, columns })
  const stderr = Object.assign(new Writable({ write }), { isTTY: false })
  const context = createContext({ env, stdin: process.stdin, stdout: terminal, stderr }, () => now)
  const run = async (argv: string[]) => {
    if ((await runCommand(context, argv)) !== 0) throw new Error(text)
  }
  try {
    for (const argv of before) await run(argv)
    text = ''
    for (const argv of shown) {
      text += `\u001b[32m$\u001b[39m \u001b[1mrelt ${argv.join(' ').replace('examples/', '')}\u001b[22m\n`
      await run(argv)
      text += '\n'
    }
    return text
  } finally {
    await context.close()
    rmSync(home, { recursive: true })
  }
}

if (import.meta.main) writeFileSync('docs/session.svg', drawTerminal(await recordSession(), { columns, title: 'relt' }))
