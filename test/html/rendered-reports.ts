import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as fc from 'fast-check'
import type { Browser } from 'playwright-core'
import { renderRunReport } from '../../src/html/report/render.ts'
import { overflowOf, watchPage } from '../helpers/browser.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { hostileReport } from './generated-reports.ts'
import { faultsFor } from './valid.ts'

/** Counts what may have run, in a page that does not let it do harm. */
const marks = `owned = 0; for (const name of ['alert', 'confirm', 'prompt', 'open']) window[name] = () => { owned++ }`

/**
 * Shows so many generated reports in one page of a browser, 320 px wide. Returns what went wrong: code that ran, requests,
 * lines in the console, pages that are wider than the window or invalid HTML. Every `validated`th is validated.
 */
export async function problemsOfReports(
  browser: Browser,
  { runs, seed, validated }: Record<'runs' | 'seed' | 'validated', number>,
) {
  const context = await browser.newContext({ viewport: { width: 320, height: 800 } })
  const page = await context.newPage()
  await page.addInitScript(marks)
  const seen = watchPage(page)
  page.on('dialog', (dialog) => {
    problems.push('a dialog')
    dialog.dismiss().catch(() => {})
  })
  const file = join(temporaryFolder(), 'report.html')
  const url = pathToFileURL(file).href
  const problems: string[] = []
  for (const [i, report] of fc.sample(hostileReport, { numRuns: runs, seed }).entries()) {
    const html = renderRunReport(report)
    writeFileSync(file, html)
    await page.goto(url)
    // Opens what is folded, moves over everything, and lets handlers of errors run.
    await page.evaluate(`for (const each of document.querySelectorAll('details')) each.open = true
      for (const each of document.querySelectorAll('main *')) for (const type of ['mouseover', 'focus', 'click']) {
        if (type !== 'click' || each.tagName !== 'A') each.dispatchEvent(new Event(type))
      }`)
    const found = await page.evaluate<[number, number, string]>(
      `[owned, document.scripts.length, [...document.querySelectorAll('a')].map((a) => a.protocol).filter((p) => !/^(https?|file):$/.test(p)).join()]`,
    )
    const fault = i % validated === 0 ? await faultsFor(html) : []
    const overflow = await overflowOf(page)
    if (found[0] !== 0 || found[1] !== 1 || found[2] !== '' || overflow !== 0 || fault.length > 0) {
      problems.push(
        `report ${i} of seed ${seed}: ran ${found[0]}, scripts ${found[1]}, links ${found[2]}, ${overflow} px, ${fault}`,
      )
    }
    if (seen.console.length > 0 || seen.requests.some((each) => each !== url)) {
      problems.push(`report ${i} of seed ${seed}: ${JSON.stringify(seen).slice(0, 500)}`)
      seen.console.length = 0
    }
    seen.requests.length = 0
  }
  await context.close()
  return problems
}
