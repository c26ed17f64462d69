import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { makeSmallStore, smallReports } from '../helpers/small-store.ts'

const page = readFileSync(fileURLToPath(new URL('../../docs/recipes.md', import.meta.url)), 'utf8')
const sections = page.split(/^## /m).slice(1)

/** Where something else than 0 is the answer: this catalog knows no CVE, and the report has something new. */
const codes: Record<string, number> = {
  'relt impact CVE-2026-1234': 6,
  'relt ci report.json --fail-on "new>=high" --sarif relt.sarif': 5,
}

test('the recipes answer fifteen questions, in at most two commands each but for undoing', () => {
  expect(sections).toHaveLength(15)
  const counts = sections.map((section) => toCommands(section).length)
  expect(Math.max(...counts.slice(0, -1))).toBeLessThanOrEqual(2)
})

test('every command of the recipes works', async () => {
  const home = temporaryFolder()
  await makeSmallStore(home)
  const file = (name: string) => join(home, name)
  writeFileSync(file('report.json'), JSON.stringify(smallReports[2]))
  writeFileSync(file('slack-url.txt'), 'https://hooks.slack.com/services/T0/B0/secret\n')
  const run = (argv: string[]) => runCli(argv, { home, columns: 120 })
  await run(['subs', 'add', 'argo-cd'])
  await run(['gate', 'check', '--fail-on', 'findings>=critical'])
  const { items } = JSON.parse((await run(['findings', 'list', '--json'])).stdout)
  const names: Record<string, string> = {
    ...{ CLUSTER: 'shop-prod', FINDING: items[0].fingerprint.slice(0, 12), PROJECT: 'argo-cd', RUN: items[0].run_id },
    ...Object.fromEntries(
      ['report.json', 'slack-url.txt', 'trend.html', 'report.html', 'relt.sarif'].map((name) => [name, file(name)]),
    ),
  }
  const wrong: object[] = []
  for (const command of sections.flatMap(toCommands)) {
    const argv = formatWords(command).slice(1)
    const { code, stderr } = await run(argv.map((word) => names[word] ?? word))
    if (code !== (codes[command] ?? 0)) wrong.push({ command, code, stderr })
  }
  expect(wrong).toEqual([])
})

function toCommands(section: string): string[] {
  const blocks = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, shell]) => shell!)
  return blocks.flatMap((shell) => shell.trim().split('\n'))
}

/** Words of a line of the shell; quotes hold a word together. */
const formatWords = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!)
