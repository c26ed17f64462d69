import { expect, test } from 'vitest'
import { renderNotes } from '../../src/cli/commands/projects/notes-view.ts'
import { securityColumn } from '../../src/cli/commands/projects/recent-view.ts'
import { securityText, securityTone, securityWord } from '../../src/views/release.ts'
import { exampleFor } from '../helpers/examples/index.ts'
import { io, painted, spanned, toPage } from './media.ts'

test.each([
  [{ has_security_fix: false, security_severity: 'none' as const }, null],
  [{ has_security_fix: true, security_severity: 'none' as const }, 'yes'],
  [{ has_security_fix: true }, 'yes'],
  [{ has_security_fix: true, security_severity: 'high' as const }, 'high'],
  [{ security_severity: 'low' as const }, 'low'],
  [{ security_severity: 'none' as const }, null],
])('%j shows as %s', (release, word) => {
  expect(securityWord(release)).toBe(word)
})

const answers = Object.fromEntries(
  (['getProject', 'listReleases', 'getMySubscriptions', 'listClusterVersions'] as const).map((name) => [
    name,
    exampleFor(name).answer,
  ]),
  // biome-ignore lint/suspicious/noExplicitAny: answers of several routes
) as Record<string, any>
const [listed] = answers.listReleases.items

test.each([
  ['rated', { has_security_fix: true, security_severity: 'high' }],
  ['unrated', { has_security_fix: true, security_severity: 'none' }],
  ['of a server that only rates', { has_security_fix: null, security_severity: 'low' }],
  ['none', { has_security_fix: false, security_severity: 'none' }],
] as const)('a security fix is worded and colored alike in every medium, %s', async (_, fix) => {
  const release = { ...listed, ...fix }
  const known = {
    ...answers,
    listReleases: { ...answers.listReleases, items: [release] },
  }
  const [word, tone] = [securityText(release), securityTone(release)]
  const page = await toPage('/projects/{id}', known, { id: '1' })
  if (word === null) expect(page).toContain('no fix known')
  else expect(page).toMatch(spanned(tone, word))
  const column = securityColumn(io)
  const cell = column.style!(column.value(release as never) ?? '-', release as never)
  expect(cell.startsWith(word === null ? '-' : painted(tone, word))).toBe(true)
  const notes = renderNotes(io, [release as never], 0)
  expect(notes.includes('security: ')).toBe(word !== null)
})
