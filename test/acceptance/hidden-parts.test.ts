import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { nativeReportFile } from '../helpers/report.ts'

interface Report {
  metadata: Record<string, unknown>
  checks: Record<string, Record<string, unknown>>
}

const real: Report = JSON.parse(readFileSync(nativeReportFile, 'utf8'))
const day = (number: number) => `2026-08-${String(number).padStart(2, '0')}T06:00:00Z`

/** The real report of a day, changed. */
function scanned(number: number, change: (report: Report) => void = () => {}): Report {
  const report = structuredClone(real)
  report.metadata.generatedAt = day(number)
  // Prometheus is young there, which no rule asks for.
  for (const id of ['PROM006', 'PROM007'])
    Object.assign(report.checks[id]!.Items as object, { Message: 'at least 7 days of Prometheus history is available' })
  change(report)
  return report
}

const isCritical = ({ Severity }: Record<string, unknown>) => /^critical$/i.test(String(Severity))
const [failed] = Object.entries(real.checks).find(([, check]) => isCritical(check) && check.Total !== 0)!
const [passed] = Object.entries(real.checks).find(([, check]) => isCritical(check) && check.Total === 0)!
const [mild] = Object.entries(real.checks).find(([, check]) => /^low$|^info$/i.test(String(check.Severity)))!

const forbid = 'secrets is forbidden: User "s" cannot list resource "secrets" in API group "" at the cluster scope'
const hide = (id: string, reason: string) => (report: Report) => {
  Object.assign(report.checks[id]!, { Error: reason, Items: null, Total: 0 })
}
const remove = (id: string) => (report: Report) => {
  delete report.checks[id]
}
const exclude = (namespace: string) => (report: Report) => {
  const { excludedNamespaces = [] } = report.metadata as { excludedNamespaces?: string[] }
  Object.assign(report.metadata, {
    excludeNamespacesEnabled: true,
    excludedNamespaces: [...excludedNamespaces, namespace],
  })
}

const namespace = Object.values(real.checks)
  .flatMap(({ Items }) => (Array.isArray(Items) ? (Items as { Namespace?: string }[]) : []))
  .find(({ Namespace }) => /^[a-z]/.test(Namespace ?? ''))!.Namespace!

const onChanges = ['new>=critical', 'regressed>=critical', 'more>=critical', 'score-drop>5']
const absolute = ['findings>=critical>100000', 'score<80']

async function judge(first: Report, second: Report) {
  const home = temporaryFolder()
  const file = join(home, 'report.json')
  let stdout = ''
  for (const report of [first, second]) {
    writeFileSync(file, JSON.stringify(report))
    const rules = [...onChanges, ...absolute].flatMap((rule) => ['--fail-on', rule])
    ;({ stdout } = await runCli(['ci', file, '--json', ...rules], { home }))
  }
  const { rules } = JSON.parse(stdout) as { rules: { rule: string; verdict: string }[] }
  return Object.fromEntries(rules.map(({ rule, verdict }) => [rule, verdict]))
}

const everyRule = (verdict: string) => Object.fromEntries([...onChanges, ...absolute].map((rule) => [rule, verdict]))

test.each<[string, (report: Report) => void]>([
  ['a check with findings failed', hide(failed, 'timed out')],
  ['a check with findings was forbidden', hide(failed, forbid)],
  ['a check with findings is gone', remove(failed)],
  ['a check without findings failed', hide(passed, 'timed out')],
  ['a check without findings was forbidden', hide(passed, forbid)],
  ['a check without findings is gone', remove(passed)],
  ['a namespace is excluded', exclude(namespace)],
])('no rule passes where it was read before, and %s', async (_, change) => {
  expect(await judge(scanned(1), scanned(2, change))).toEqual(everyRule('undecided'))
})

test.each<[string, (report: Report) => void, (report: Report) => void]>([
  ['nothing differs', () => {}, () => {}],
  ['a check failed in both', hide(failed, 'timed out'), hide(failed, 'timed out')],
  ['a namespace is excluded from both', exclude(namespace), exclude(namespace)],
  ['a check came with the scanner', remove(passed), () => {}],
  ['a check is not there in either', remove(failed), remove(failed)],
])('no rule about changes is undecided where %s', async (_, before, now) => {
  const verdicts = await judge(scanned(1, before), scanned(2, now))
  expect(onChanges.map((rule) => [rule, verdicts[rule]])).toEqual(onChanges.map((rule) => [rule, 'passed']))
})

test('a check that can only find less than the rule asks for hides nothing', async () => {
  const verdicts = await judge(scanned(1), scanned(2, hide(mild, 'an expression is not valid')))
  expect(verdicts).toMatchObject({ 'new>=critical': 'passed', 'findings>=critical>100000': 'passed' })
})
