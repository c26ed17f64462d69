import { expect, onTestFinished, test } from 'vitest'
import { pages } from '../../src/html/pages/index.ts'
import { listen } from '../../src/server/http/listen.ts'
import { launchBrowser, noBrowser, overflowOf, violationsOf, watchPage } from '../helpers/browser.ts'
import { addressOf, fill, openSite, password } from '../server/site.ts'

test.skipIf(noBrowser)('every page breaks no rule of axe in any color and width', async () => {
  const site = await openSite()
  const ids = await fill(site)
  const server = await listen(site.http, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.stop(0))
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const seen = watchPage(page)
  await page.goto(`${server.url}/sign-in`)
  const problems: unknown[] = []
  async function check(address: string) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [375, 768, 1440]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        const violations = await violationsOf(page)
        problems.push(...violations.map(({ id, html }) => [address, colorScheme, width, id, html]))
      }
    }
    for (const width of [320, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      if ((await overflowOf(page)) !== 0) problems.push([address, `is wider than ${width} px`])
    }
  }
  await check('/sign-in')
  await page.getByLabel('Login name').fill('ada')
  await page.getByLabel('Password or API key').fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${server.url}/`)
  for (const { path } of pages) {
    await page.goto(server.url + addressOf(path, ids))
    await check(path)
  }
  expect(problems).toEqual([])
  expect(seen.console).toEqual([])
  expect(seen.requests.filter((url) => !url.startsWith(server.url))).toEqual([])
})
