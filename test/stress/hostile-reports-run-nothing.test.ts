import { expect, onTestFinished, test } from 'vitest'
import { launchBrowser, noBrowser } from '../helpers/browser.ts'
import { problemsOfReports } from '../html/rendered-reports.ts'

test.skipIf(noBrowser)(
  '2,000 generated hostile reports run nothing, load nothing, and stay valid and narrow',
  async () => {
    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const seed = Number(process.env.RELT_SEED ?? Date.now() % 1e9)
    expect(await problemsOfReports(browser, { runs: 2000, seed, validated: 4 })).toEqual([])
  },
  1_200_000,
)
