import { expect, test } from 'vitest'
import { newsSince, sinceText } from '../../src/reports/news-since.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'

const at = (time: string) => Date.parse(time) / 1000

test.each([
  ['2026-09-01T12:00+02:00', '2026-08-31T08:00+02:00', 'Tuesday'],
  ['2026-09-05T23:59+02:00', '2026-09-04T08:00+02:00', 'Saturday'],
  ['2026-09-06T12:00+02:00', '2026-09-04T08:00+02:00', 'Sunday'],
  ['2026-09-07T00:00+02:00', '2026-09-04T08:00+02:00', 'Monday, from its first second on'],
  ['2026-09-06T23:59:59+02:00', '2026-09-04T08:00+02:00', 'the second before'],
  ['2026-03-30T09:00+02:00', '2026-03-27T08:00+01:00', 'the Monday after clocks went forward'],
  ['2026-10-26T09:00+01:00', '2026-10-23T08:00+02:00', 'the Monday after they went back'],
])('at %s, news counts from %s on: %s', (now, since) => {
  expect(newsSince(at(now), 'Europe/Berlin')).toBe(at(since))
})

test.each([
  ['Pacific/Apia', '2026-09-02T00:30+13:00', '2026-09-01T08:00+13:00'],
  ['Pacific/Honolulu', '2026-09-02T23:30-10:00', '2026-09-01T08:00-10:00'],
  ['America/Los_Angeles', '2026-03-10T09:00-07:00', '2026-03-09T08:00-07:00'],
])('in %s, days are those of the zone', (zone, now, since) => {
  expect(newsSince(at(now), zone)).toBe(at(since))
})

test('a time within a week is said by its weekday', () => {
  const now = at('2026-09-08T08:00Z')
  expect(sinceText(at('2026-09-02T07:00Z'), 'UTC', now)).toBe('Wed 07:00')
  expect(sinceText(at('2026-09-01T08:00Z'), 'UTC', now)).toBe('2026-09-01 08:00')
})

test('a time zone that does not exist is refused', async () => {
  const { code, stderr } = await runCli(['status'], {
    home: temporaryFolder(),
    env: { RELT_TIME_ZONE: 'Mars/Olympus' },
  })
  expect(code).toBe(2)
  expect(stderr).toContain('RELT_TIME_ZONE is not a time zone: "Mars/Olympus".')
})
