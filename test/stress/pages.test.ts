import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pages } from '../../src/html/pages/index.ts'
import { renderRunReport } from '../../src/html/report/render.ts'
import { listen } from '../../src/server/http/listen.ts'
import { launchBrowser, noBrowser, overflowOf, toViolations, watchPage } from '../helpers/browser.ts'
import { brokenWords } from '../html/broken-words.ts'
import { emptyReport, toReport } from '../html/reports.ts'
import { fill, openSite, password, toAddress } from '../server/site.ts'

describe.skipIf(noBrowser)('in every color and width', () => {
  test('every page breaks no rule of axe and no word', async () => {
    const { page, url, ids } = await openPages()
    const seen = watchPage(page)
    await page.goto(`${url}/sign-in`)
    const problems = await problemsFor(page, '/sign-in')
    await signIn(page, url, 'ada')
    for (const { path } of pages) {
      await page.goto(url + toAddress(path, ids))
      problems.push(...(await problemsFor(page, path)))
    }
    expect(problems).toEqual([])
    expect(seen.console).toEqual([])
    expect(seen.requests.filter((address) => !address.startsWith(url))).toEqual([])
  })

  test('every page without data breaks no rule of axe and no word', async () => {
    const { page, url, ids } = await openPages()
    await signIn(page, url, 'eve')
    const problems: unknown[] = []
    // Pages about something that is not there are all the same.
    for (const { path } of pages.filter((each) => !each.path.includes('{') || each === pages[1])) {
      await page.goto(url + toAddress(path, ids))
      problems.push(...(await problemsFor(page, path)))
    }
    expect(problems).toEqual([])
  })

  test('a report breaks no rule of axe and no word', async () => {
    const page = await openPage()
    const seen = watchPage(page)
    const reports = { full: toReport((tag) => tag), empty: emptyReport() }
    const problems: unknown[] = []
    for (const [name, report] of Object.entries(reports)) {
      await page.setContent(renderRunReport(report))
      problems.push(...(await problemsFor(page, `${name} report`)))
    }
    expect(problems).toEqual([])
    expect(seen).toEqual({ requests: [], console: [] })
  })
})

async function openPage(): Promise<Page> {
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  return browser.newPage()
}

async function openPages() {
  const site = await openSite()
  const ids = await fill(site)
  const server = await listen(site.http, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.stop(0))
  return { page: await openPage(), url: server.url, ids }
}

async function signIn(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('Login name').fill(name)
  await page.getByLabel('Password or API key').fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/`)
}

async function problemsFor(page: Page, name: string): Promise<unknown[]> {
  const problems: unknown[] = []
  for (const width of [375, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const violations = await toViolations(page)
      problems.push(...violations.map(({ id, html }) => [name, colorScheme, width, id, html]))
    }
    problems.push(...(await brokenWords(page)).map((word) => [name, width, `${word} is broken`]))
  }
  // On both sides of the widths at which tables become blocks, too.
  for (const width of [320, 641, 1024, 1153, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    if ((await overflowOf(page)) !== 0) problems.push([name, `is wider than ${width} px`])
  }
  return problems
}
