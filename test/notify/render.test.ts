import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { channels } from '../../src/contract/channels.ts'
import { toContent } from '../../src/notify/content.ts'
import type { Delivery, RenderedMail, RenderedPost } from '../../src/notify/delivery.ts'
import { formats } from '../../src/notify/generic/formats.ts'
import { loadDelivery } from '../../src/notify/index.ts'
import { Secret } from '../../src/util/secret.ts'
import { digest, foreignMessage, message, release, samples } from './helpers/messages.ts'
import * as rules from './helpers/rules.ts'

const target = (address: string) => new Secret(address, () => '…')

const deliveries: Record<string, Delivery> = Object.fromEntries(
  await Promise.all(channels.map(async ({ name }) => [name, await loadDelivery(name)])),
)

type Check = [name: string, render: Delivery['render'], check: (rendered: never) => void]

const ofFormat = (format: string, check: (rendered: RenderedPost) => void): Check => [
  format,
  (each) => deliveries.generic!.render(each, target(`https://hooks.example/relt-topic#format=${format}`)),
  check,
]

const checks: Check[] = [
  ['email', deliveries.email!.render, rules.checkMail],
  ['slack', deliveries.slack!.render, rules.checkSlack],
  ['teams', deliveries.teams!.render, rules.checkTeams],
  ofFormat('standard', rules.checkStandard),
  ofFormat('discord', rules.checkDiscord),
  ofFormat('mattermost', rules.checkMattermost),
  ofFormat('rocketchat', rules.checkMattermost),
  ofFormat('google-chat', rules.checkGoogleChat),
  ofFormat('ntfy', rules.checkNtfy),
  ofFormat('pagerduty', rules.checkPagerDuty),
]

test('every channel and every format is checked here', () => {
  const names = [...channels.map(({ name }) => name), ...formats.map(({ name }) => name)]
  expect(checks.map(([name]) => name).sort()).toEqual(names.filter((name) => name !== 'generic').sort())
})

describe.each(checks)('%s', (_, render, check) => {
  test('is valid and within its limits for foreign names, notes and findings', () => {
    fc.assert(
      fc.property(foreignMessage, (each) => check(render(each) as never)),
      { numRuns: Number(process.env.RELT_TEST_RUNS ?? 150) },
    )
  })

  test('renders each type of event, and a test', () => {
    for (const event of Object.values(samples)) check(render(message([event])) as never)
  })

  test('shows the beginning of a digest of 5,000 releases and the command for the rest', () => {
    const releases = Array.from({ length: 5000 }, (_, i) => release({ id: `evt_${i}`, version: `v1.${i}.0` }))
    const rendered = render(digest(releases)) as RenderedPost | RenderedMail
    check(rendered as never)
    const shown = rendered.kind === 'post' ? rendered.body : rendered.text
    expect(shown).toMatch(/and \d+ more|"more(_events)?":\d{4}/)
    expect(shown).toContain('relt feed --days 1')
  })
})

test.each([
  ['critical', true, 'danger'],
  ['high', true, 'danger'],
  ['medium', true, 'warning'],
  ['low', true, 'warning'],
  ['none', true, 'warning'],
  [null, true, 'warning'],
  ['critical', false, 'neutral'],
  [null, false, 'neutral'],
] as const)('a release of severity %s, a security fix: %s, is shown as %s', (severity, isSecurityFix, tone) => {
  const { items } = toContent(message([release({ type: 'release.published', severity, isSecurityFix })]))
  expect(items.map((item) => item.tone)).toEqual([tone])
})

test('puts security fixes first, then what runs in clusters', () => {
  const events = [
    release({ version: '1', isSecurityFix: false, severity: null, runsIn: [] }),
    release({ version: '2', isSecurityFix: false, severity: null }),
    release({ version: '3', severity: 'low' }),
    release({ version: '4', severity: 'critical', runsIn: [] }),
  ]
  const { items, title } = toContent(digest(events))
  expect(items.map((item) => item.title.at(-1))).toEqual(['4', '3', '2', '1'])
  expect(title).toBe('Daily digest: 4 events, 2 security fixes')
  expect(items[1]!.facts).toContainEqual({
    name: 'Runs in',
    value: 'prod-eu (v3.1.0), prod-us (v3.1.0) and 1 more',
  })
})

test('names a command that a shell runs as it stands', () => {
  fc.assert(
    fc.property(foreignMessage, (each) => {
      const { command, items } = toContent(each)
      for (const line of [command, ...items.map((item) => item.command)]) expect(line).toMatch(/^relt [\w .+-]+$/)
    }),
  )
})
