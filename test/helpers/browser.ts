import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'

const executablePath = process.env.RELT_CHROMIUM ?? '/usr/bin/chromium'

/** Why tests in a browser are skipped; undefined where they can run. */
export const noBrowser = existsSync(executablePath) ? undefined : `skipped: no Chromium at ${executablePath}`
if (noBrowser) console.warn(noBrowser)

export async function launchBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

/** What a page must not do: ask for anything beyond itself, or write to the console. */
export function watchPage(page: Page): { requests: string[]; console: string[] } {
  const seen = { requests: [] as string[], console: [] as string[] }
  page.on('request', (request) => seen.requests.push(request.url()))
  page.on('console', (message) => seen.console.push(message.text()))
  page.on('pageerror', (error) => seen.console.push(error.message))
  return seen
}

/** Pixels by which the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeViolation {
  id: string
  /** The first element that breaks the rule. */
  html: string
}

/** What breaks rules of axe: all of them, only contrast of colors (`color`), or all others (`structure`). */
export async function toViolations(page: Page, rules: 'all' | 'color' | 'structure' = 'all'): Promise<AxeViolation[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
  const options = {
    all: {},
    color: { runOnly: ['color-contrast'] },
    structure: { rules: { 'color-contrast': { enabled: false } } },
  }[rules]
  return page.evaluate(`axe.run(${JSON.stringify({ resultTypes: ['violations'], ...options })})
    .then(({ violations }) => violations.map(({ id, nodes }) => ({ id, html: nodes[0].html })))`)
}
