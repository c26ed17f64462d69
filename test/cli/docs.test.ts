import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cliDocs } from '../../scripts/cli-docs.ts'
import { drawTerminal } from '../../scripts/draw-terminal.ts'
import { manPages } from '../../scripts/man-pages.ts'
import { recordSession } from '../../scripts/record-session.ts'

test('the list of commands of a release has every verb with its options, and the exit codes', async () => {
  const docs = await cliDocs()
  expect(docs).toMatch(/^## relt reports\n\n.*\n\nVerbs: .*`upload`/m)
  expect(docs).toMatch(/^### relt reports upload\n\n[\s\S]*?- `--compare`: /m)
  expect(docs).toContain('| 5 | gate failed |')
})

test('the picture of the first ten minutes shows what its commands print', async () => {
  const drawn = drawTerminal(await recordSession(), { columns: 100, title: 'relt' })
  const withoutIds = (svg: string) => svg.replaceAll(/crun_\w+/g, 'crun_')
  expect(withoutIds(readFileSync(new URL('../../docs/session.svg', import.meta.url), 'utf8'))).toBe(withoutIds(drawn))
})

test('each noun has a man page with its verbs', async () => {
  const pages = await manPages()
  expect([...pages.keys()]).toEqual(expect.arrayContaining(['relt.1', 'relt-projects.1', 'relt-admin.1']))
  expect(pages.get('relt-projects.1')).toContain('.SS "relt projects search [options] <text>"')
})

test('in a man page nothing of a text steers the page', async () => {
  for (const page of (await manPages()).values()) {
    for (const line of page.split('\n')) {
      expect(line).toMatch(/^(\.(TH|SH|SS|TP|PP|nf|fi|B)( |$)|(?![.']))/)
      expect(line.replace(/\\([e&-]|\(dq)/g, '')).not.toContain('\\')
    }
  }
})

test('every man page tells the exit codes', async () => {
  for (const page of (await manPages()).values()) {
    expect(page).toMatch(/\.SH EXIT STATUS\n\.TP\n\.B 0\ndone\n/)
    expect(page).toContain('.B 130\ncancelled\n')
  }
})
