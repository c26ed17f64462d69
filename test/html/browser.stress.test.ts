import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { FindingSeverity } from '../../src/contract/scan-finding.ts'
import { renderPage } from '../../src/html/page.ts'
import { renderFleetReport } from '../../src/html/report/fleet.ts'
import { renderRunReport } from '../../src/html/report/render.ts'
import { stylesheet } from '../../src/html/stylesheet.ts'
import { drawColumns } from '../../src/render/html/draw.ts'
import { html } from '../../src/render/html/markup.ts'
import { table } from '../../src/render/html/table.ts'
import { titled } from '../../src/views/titles.ts'
import { launchBrowser, noBrowser, overflowOf, toViolations, watchPage } from '../helpers/browser.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { toFleetReport } from './fleet-reports.ts'
import { hostileTexts } from './hostile.ts'
import { emptyReport, toReport } from './reports.ts'

function save(page: string): string {
  const file = join(temporaryFolder(), 'report.html')
  writeFileSync(file, page)
  return pathToFileURL(file).href
}

describe.skipIf(noBrowser)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  async function open(url: string, options: Parameters<Browser['newContext']>[0] = {}) {
    const context = await browser.newContext({ viewport: { width: 375, height: 800 }, ...options })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const seen = watchPage(page)
    await page.goto(url)
    return { page, seen }
  }

  test.each(['light', 'dark'] as const)('a report breaks no rule of axe (%s)', async (colorScheme) => {
    const empty = emptyReport()
    for (const report of [toReport((tag) => tag), empty]) {
      const { page, seen } = await open(save(renderRunReport(report)), { colorScheme })
      for (const width of colorScheme === 'dark' || report === empty ? [768] : [375, 768, 1440]) {
        await page.setViewportSize({ width, height: 800 })
        // All other rules are about structure, which is the same in both schemes; colors are the same in all widths.
        const rules = colorScheme === 'dark' ? 'color' : width === 768 ? 'all' : 'structure'
        expect(await toViolations(page, rules)).toEqual([])
        expect(await overflowOf(page)).toBe(0)
      }
      expect(seen).toEqual({ requests: [page.url()], console: [] })
    }
  })

  test('a report of a fleet breaks no rule of axe, and is no wider than its window', async () => {
    const { page, seen } = await open(save(renderFleetReport(await toFleetReport(12))))
    for (const [width, rules] of [
      [375, 'structure'],
      [768, 'all'],
      [1440, 'structure'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      expect(await toViolations(page, rules)).toEqual([])
      expect(await overflowOf(page)).toBe(0)
    }
    expect(seen).toEqual({ requests: [page.url()], console: [] })
  })

  test('hostile texts do not run, load or widen anything', async () => {
    let next = 0
    const report = toReport(() => hostileTexts[next++ % hostileTexts.length]!)
    const { page, seen } = await open(save(renderRunReport(report)), { viewport: { width: 320, height: 800 } })
    expect(await overflowOf(page)).toBe(0)
    await page.mouse.move(150, 400)
    expect(await page.evaluate('typeof owned')).toBe('undefined')
    expect(seen).toEqual({ requests: [page.url()], console: [] })
  })

  test('a page with its stylesheet is whole under the policy of artifact servers', async () => {
    const html = renderRunReport(
      toReport((tag) => tag),
      'report.css',
    )
    const server = createServer((request, response) => {
      const isStyle = request.url === '/report.css'
      response.setHeader('content-security-policy', "sandbox; default-src 'none'; img-src 'self'; style-src 'self'")
      response.setHeader('content-type', isStyle ? 'text/css' : 'text/html')
      if (request.url === '/favicon.ico') response.statusCode = 204
      response.end(isStyle ? stylesheet : html)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { page, seen } = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    expect(await page.evaluate('getComputedStyle(document.querySelector(".verdict")).borderLeftStyle')).toBe('solid')
    expect(await overflowOf(page)).toBe(0)
    expect(seen.console).toEqual([])
    expect(seen.requests.map((url) => new URL(url).pathname)).toEqual(['/', '/report.css'])
  })

  test('the keyboard reaches the findings, filters and sorts them', async () => {
    const { page } = await open(save(renderRunReport(toReport((tag) => tag))), {
      timezoneId: 'Asia/Tokyo',
    })
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the report')
    await page.getByLabel('Filter findings').fill('resource three')
    const rows = page.locator('#findings details tbody tr')
    expect(await rows.evaluateAll((all) => all.map((row) => (row as unknown as { hidden: boolean }).hidden))).toEqual([
      true,
      true,
      false,
    ])
    await page.getByLabel('Filter findings').fill('')
    // On a narrow screen rows are blocks, and the heads are a line of buttons above them.
    expect(await page.locator('#findings details thead button').nth(1).isVisible()).toBe(true)
    await page.locator('#findings details thead button').nth(1).press('Enter')
    await expect
      .poll(() => rows.locator('td:nth-child(2)').allTextContents())
      .toEqual(['resource one', 'resource three', 'resource two'])
    expect(await page.locator('#findings details th').nth(1).getAttribute('aria-sort')).toBe('ascending')
    const time = page.locator('time').first()
    expect(await time.textContent()).toBe('2026-08-31 06:00 UTC')
    expect(await time.getAttribute('title')).toContain('3:00:00')
  })

  test('closed checks open while the filter matches them, and close again without it', async () => {
    const closed = renderRunReport(toReport((tag) => tag)).replaceAll('<details open ', '<details ')
    const { page } = await open(save(closed))
    const open_ = () => page.locator('#findings details[open]').count()
    expect(await page.getByRole('button', { name: 'Expand all' }).count()).toBe(1)
    await page.getByLabel('Filter findings').fill('resource three')
    expect(await page.getByText('resource three').last().isVisible()).toBe(true)
    expect(await open_()).toBe(1)
    await page.getByLabel('Filter findings').fill('')
    expect(await open_()).toBe(0)
  })

  test('severities sort by their order, and texts that begin like one by their letters', async () => {
    const severity = {
      ...titled('severity'),
      text: (word: FindingSeverity) => `${word} ?`,
      tone: (word: FindingSeverity) => word,
    }
    const named = { ...titled('name'), text: (word: string) => `low ${word}` }
    const columns = drawColumns<FindingSeverity>([severity, named].map((column) => ({ ...column, reveals: 'safe' })))
    const body = table(columns, ['low', 'critical', 'info', 'high'], { caption: 'Findings' })
    const { page } = await open(save(renderPage({ title: 'Sorted', body: html`<main>${body}</main>` })))
    const sortedBy = async (column: number) => {
      await page.locator('thead button').nth(column).press('Enter')
      return page.locator(`td:nth-child(${column + 1})`).allTextContents()
    }
    expect(await sortedBy(0)).toEqual(['critical ?', 'high ?', 'low ?', 'info ?'])
    expect(await sortedBy(1)).toEqual(['low critical', 'low high', 'low info', 'low low'])
  })

  test('the button that folds all checks unfolds them again', async () => {
    const { page } = await open(save(renderRunReport(toReport((tag) => tag))))
    const openOnes = () => page.locator('#findings details[open]').count()
    const before = await openOnes()
    await page.getByRole('button', { name: 'Collapse all' }).press('Enter')
    expect(await openOnes()).toBe(0)
    await page.getByRole('button', { name: 'Expand all' }).press('Enter')
    expect(await openOnes()).toBe(before)
  })

  test('paper shows every row, also those that were filtered away or are in closed checks', async () => {
    const closed = renderRunReport(toReport((tag) => tag)).replaceAll('<details open ', '<details ')
    const { page } = await open(save(closed), {
      viewport: { width: 690, height: 900 },
    })
    await page.getByLabel('Filter findings').fill('nothing has this text')
    await page.emulateMedia({ media: 'print' })
    const hidden = await page.evaluate(
      '[...document.querySelectorAll("tr")].filter((row) => row.offsetHeight === 0).length',
    )
    expect(hidden).toBe(0)
    // Chromium leaves buttons out of heads that it repeats on each sheet, unless they have no box.
    expect(await page.evaluate('getComputedStyle(document.querySelector(".sort")).display')).toBe('contents')
    expect(await overflowOf(page)).toBe(0)
  })

  test('everything is readable without script and style', async () => {
    const bare = renderRunReport(toReport((tag) => tag)).replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    const { page } = await open(save(bare), { javaScriptEnabled: false })
    const titles = await page.locator('h1, h2').allTextContents()
    expect(titles[0]).toContain('cluster')
    expect(titles.slice(1, 4)).toEqual(['What is not known', 'Gate', 'What changed'])
    expect(await page.locator('button, input, select').count()).toBe(0)
  })
})
