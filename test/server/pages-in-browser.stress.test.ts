import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pages } from '../../src/html/pages/index.ts'
import { listen, type RunningServer } from '../../src/server/http/listen.ts'
import { launchBrowser, noBrowser, overflowOf, toViolations, watchPage } from '../helpers/browser.ts'
import { brokenWords } from '../html/broken-words.ts'
import { fill, openSite, password, toAddress } from './site.ts'

describe.skipIf(noBrowser)('pages in a browser', () => {
  let browser: Browser
  let server: RunningServer
  let ids: Record<string, string>
  const closing: (() => Promise<void>)[] = []

  beforeAll(async () => {
    const site = await openSite({}, (close) => closing.push(close))
    ids = await fill(site)
    server = await listen(site.http, { host: '127.0.0.1', port: 0 })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop(0)
    for (const close of closing) await close()
  })

  async function openPage(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
    return context.newPage()
  }

  async function signIn(page: Page) {
    await page.goto(`${server.url}/sign-in`)
    await page.getByLabel('Login name').fill('ada')
    await page.getByLabel('Password or API key').fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${server.url}/`)
  }

  test('every page breaks no rule of axe and no word, fits 320 px, loads nothing foreign and logs nothing', async () => {
    const page = await openPage()
    const seen = watchPage(page)
    await signIn(page)
    const problems: unknown[] = []
    const addresses = [...pages.map(({ path }) => toAddress(path, ids)), '/trends?clusters=all']
    for (const [i, address] of addresses.entries()) {
      // Each page in one width and color; the next one in another. The stress suite has every combination.
      const width = [375, 768, 1440][i % 3]!
      await page.emulateMedia({ colorScheme: i % 2 ? 'dark' : 'light' })
      await page.setViewportSize({ width, height: 900 })
      await page.goto(server.url + address)
      // Contrast takes most of the time, and all pages share their colors.
      const violations = await toViolations(page, i % 4 === 0 ? 'all' : 'structure')
      problems.push(...violations.map(({ id, html }) => [address, width, id, html]))
      // The least width at which wide tables are not blocks yet.
      await page.setViewportSize({ width: 1153, height: 900 })
      problems.push(...(await brokenWords(page)).map((word) => [address, `${word} is broken`]))
      await page.setViewportSize({ width: 320, height: 900 })
      if ((await overflowOf(page)) !== 0) problems.push([address, 'is wider than 320 px'])
    }
    expect(problems).toEqual([])
    expect(seen.console).toEqual([])
    expect(seen.requests.filter((url) => !url.startsWith(server.url))).toEqual([])
    await page.context().close()
  })

  test('the keyboard alone signs in, finds what changed, follows to a finding, and goes back', async () => {
    const page = await openPage()
    await page.goto(`${server.url}/`)
    // The field gets the focus by itself, when the page is first drawn.
    await page.waitForFunction('document.activeElement.matches("input[autofocus]")')
    await page.keyboard.type('ada')
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${server.url}/`)
    await follow(page, 'Skip to the content')
    await follow(page, /^shop-/)
    await page.waitForURL(/\/clusters\//)
    await follow(page, 'What changed since the run before')
    await page.waitForURL(/\/compare/)
    await follow(page, 'is wrong')
    await page.waitForURL(/\/findings\//)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('is wrong')
    await page.goBack()
    expect(new URL(page.url()).pathname).toBe('/compare')
    await page.context().close()
  })

  test('without script the filters and forms work', async () => {
    const page = await openPage({ javaScriptEnabled: false })
    await signIn(page)
    await page.goto(`${server.url}/findings`)
    await page.locator('[name=severity]').selectOption('high')
    await page.getByRole('button', { name: 'Apply' }).click()
    expect(new URL(page.url()).searchParams.get('severity')).toBe('high')
    expect(await page.locator('tbody tr').count()).toBe(1)
    await page.goto(`${server.url}/projects/2`)
    await page.getByRole('button', { name: 'Subscribe' }).click()
    expect(await page.getByText('You follow this project.').count()).toBe(1)
    await page.context().close()
  })
})

/** Presses Tab until a link or button of this name has the focus, then Enter. */
async function follow(page: Page, wanted: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press('Tab')
    const text: string = await page.evaluate('document.activeElement.textContent.trim()')
    if (typeof wanted === 'string' ? text === wanted : wanted.test(text)) return page.keyboard.press('Enter')
  }
  throw new Error(`no Tab leads to ${wanted}`)
}
