/**
 * Writes docs/home-page.png: what `relt serve` shows first, with the example reports. Needs Chromium (see test/helpers/browser.ts),
 * so `npm run docs` does not run it: `node scripts/draw-home-page.ts`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../src/cli/program/root.ts'
import { createContext } from '../src/context.ts'
import { launchBrowser } from '../test/helpers/browser.ts'

/** Soon after the bundled catalog, whose facts are then as fresh as in a release. */
const now = Date.UTC(2026, 8, 1, 12) / 1000

/** The scans of a cluster, the latest last. */
const scans = [
  ['shop-1.json', '--finished-at', '2026-07-20 05:30:00'],
  ['shop-2.json', '--finished-at', '2026-08-19 05:30:00'],
  ['shop-3.json', '--finished-at', '2026-09-01 05:30:00'],
  ['shop-1.json', '--environment', 'staging', '--finished-at', '2026-08-18 06:10:00'],
  ['shop-2.json', '--environment', 'staging', '--finished-at', '2026-09-01 06:10:00'],
]

interface Site {
  url: string
  login: string
  password: string
}

async function drawHomePage(file: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'relt-home-page-'))
  let text = ''
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      text += chunk
      done()
    },
  })
  const env = { RELT_HOME: home, RELT_KEYCHAIN: 'off', RELT_LOG_LEVEL: 'error' }
  const context = createContext({ env, stdin: process.stdin, stdout: output, stderr: output }, () => now)
  const run = async (...argv: string[]) => {
    if ((await runCommand(context, argv)) !== 0) throw new Error(text)
  }
  try {
    for (const [name, ...options] of scans) await run('reports', 'upload', `examples/${name}`, ...options)
    const served = run('serve', '--port', '0')
    while (!text.includes('first-admin.json')) await Promise.race([served, setTimeout(50)])
    await run('admin', 'adopt', '--local-user', '--team', 'default')
    const admin = JSON.parse(readFileSync(join(home, 'first-admin.json'), 'utf8'))
    await photograph({ ...admin, url: /Listening on (\S+)/.exec(text)![1]! }, file)
    process.emit('SIGTERM')
    await served
  } finally {
    await context.close()
    rmSync(home, { recursive: true })
  }
}

async function photograph({ url, login, password }: Site, file: string): Promise<void> {
  const browser = await launchBrowser()
  try {
    const options = { viewport: { width: 1200, height: 780 }, deviceScaleFactor: 1.25, colorScheme: 'light' } as const
    const page = await (await browser.newContext(options)).newPage()
    await page.clock.setFixedTime(now * 1000)
    await page.goto(`${url}/sign-in`)
    await page.getByLabel('Login name').fill(login)
    await page.getByLabel('Password or API key').fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${url}/`)
    // The server computes the figures of a catalog in the background.
    while (await page.getByText('not known yet').count()) await page.reload()
    await page.screenshot({ path: file })
  } finally {
    await browser.close()
  }
}

await drawHomePage(fileURLToPath(new URL('../docs/home-page.png', import.meta.url)))
