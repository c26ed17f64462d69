import { describe, expect, test } from 'vitest'
import { renderAnnotations } from '../../src/ci/annotations.ts'
import { renderJunit } from '../../src/ci/junit.ts'
import { renderMarkdown } from '../../src/ci/markdown.ts'
import { renderRecorded } from '../../src/cli/commands/gate/recorded-view.ts'
import { renderGate } from '../../src/cli/commands/gate/view.ts'
import { renderFreshness } from '../../src/cli/commands/reports/freshness-view.ts'
import type { FreshnessItem } from '../../src/contract/freshness.ts'
import { pages } from '../../src/html/pages/index.ts'
import { View } from '../../src/html/pages/view.ts'
import { renderFreshness as freshnessOfReport } from '../../src/html/report/freshness.ts'
import { renderGate as gateOfReport, renderVerdict } from '../../src/html/report/verdict.ts'
import { explainGate } from '../../src/mcp/tools/runs.ts'
import { createColor } from '../../src/render/terminal/color.ts'
import { recordRule } from '../../src/submit/record-verdict.ts'
import { statusTone, statusWord } from '../../src/views/artifact.ts'
import { freshnessFigures, freshnessVerdict } from '../../src/views/freshness.ts'
import { countItems } from '../../src/views/freshness-counts.ts'
import { judgedRun, ruleTone, viewGate, viewRecordedGate } from '../../src/views/gate.ts'
import { Redactor } from '../../src/views/redaction.ts'
import { plainText, type Tone } from '../../src/views/said.ts'
import { versionColumns, versionsVerdict } from '../../src/views/versions.ts'
import { advisoryWith, freshnessFor, itemWith, now, policyWith, runWith } from '../gate/evidence.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'
import { toProjectPage } from './media.ts'

const io = { isTerminal: true, width: 400, color: createColor(true), link: (text: string) => text } as never
const viewer = { login: 'ada', isPro: true, nonce: undefined, isReadOnly: false, team: null, teams: [] }

/** What each medium makes of a tone; one that colours for itself writes something else. */
const onTerminal: Partial<Record<Tone, string>> = { good: '32', bad: '31', warn: '33', soft: '2' }
const marks: Partial<Record<Tone, string>> = { good: '✅', bad: '❌', warn: '⚠️' }
const painted = (tone: Tone | undefined, text: string) =>
  tone === undefined ? text : `\u001b[${onTerminal[tone]}m${text}`
const spanned = (tone: Tone | undefined, text: string) => (tone === undefined ? text : `<span class="${tone}">${text}`)

async function toPage(path: string, answer: unknown, params = {}, query: Record<string, string> = {}) {
  const page = pages.find((one) => one.path === path)!
  const view = new View({ path, query, viewer, now })
  return String((await page.show({ params, query, view, call: (async () => answer) as never })).body)
}

const planted = { states: ['compromised' as const] }
const ended = { eol: { cycle: '1', date: '2026-08-01', is_eol: true } }
const known = { advisories_count: 0, advisories: [], status: 'up_to_date' as const }
const states: Record<string, Partial<FreshnessItem>[]> = {
  known: [itemWith(known)],
  unknown: [itemWith({ ...known, status: 'unknown', advisories_count: null })],
  partial: [itemWith(known), itemWith({ ...known, status: 'unknown', advisories_count: null })],
  'not compared': [itemWith({ ...known, advisories_count: null })],
  undecided: [itemWith({ ...known, advisories_undecided: 3 })],
  affected: [itemWith({ ...known, advisories_count: 1, advisories: [advisoryWith()] })],
  'major behind': [itemWith({ ...known, status: 'major_behind' })],
  'minor behind': [itemWith({ ...known, status: 'minor_behind' })],
  'out of support': [itemWith({ ...known, ...ended })],
  compromised: [itemWith({ ...known, ...planted })],
  retired: [itemWith({ ...known, states: ['retired'] })],
  empty: [],
}

describe.each(Object.entries(states))('what runs, %s', (_, some) => {
  const items = some as FreshnessItem[]
  const found = { ...freshnessFor(items), summary: countItems(items) }
  const run = runWith()
  const terminal = renderFreshness(io, found, { run, now })

  test('is judged alike', async () => {
    const { state, words } = freshnessVerdict(found, now)
    const page = await toPage('/runs/{run_id}/freshness', found, { run_id: 'crun_a' })
    expect(page).toContain(`class="verdict ${state}"`)
    expect(page.replace(/<[^>]*>/g, '')).toContain(words.map(({ text }) => text).join(''))
  })

  test('has the figures of the same tones', async () => {
    const page = await toPage('/runs/{run_id}/freshness', found, { run_id: 'crun_a' })
    const { outdated, major, minor, current, unknown } = freshnessFigures(found)
    for (const { title, value, tone } of [major, minor, current, unknown]) {
      const number = value.map(({ text }) => text).join('')
      expect(page).toContain(`<span class="label">${title}</span><b class="${tone ?? ''}">${number}</b>`)
    }
    for (const figure of [current, unknown, outdated]) {
      const number = figure.value.map(({ text }) => text).join('')
      expect(terminal).toContain(painted(figure.tone, `${number} ${figure.title.toLowerCase()}`))
    }
  })

  test('has rows of the same words and tones', async () => {
    const page = await toPage('/runs/{run_id}/freshness', found, { run_id: 'crun_a' })
    const report = String(freshnessOfReport({ freshness: { found }, madeAt: now } as never))
    for (const item of items) {
      const [tone, word] = [statusTone(item), statusWord(item)]
      expect(terminal).toContain(painted(tone, word))
      expect(page).toContain(spanned(tone, word))
      // What needs nothing has no status there.
      if (report.includes('data-title="Status"') && tone !== 'good' && tone !== 'soft')
        expect(report).toContain(spanned(tone, word))
    }
  })
})

const rules = ['affected>=high', 'eol', 'score<50']
const gates: Record<string, { run?: object; items?: FreshnessItem[]; rules?: string[]; line?: string }> = {
  passed: { items: [itemWith({ ...known, eol: { cycle: '1', date: '2027-08-01', is_eol: false } })] },
  failed: { items: [itemWith({ ...known, ...ended })] },
  undecided: { items: [] },
  accepted: { items: [itemWith({ ...known, advisories_count: null })], line: 'advisories' },
  'not run': { run: { not_run_checks: 12 }, rules: ['eol'], items: [itemWith({ ...known, eol: ended.eol })] },
  empty: { run: { is_empty: true } },
  stale: { run: { finished_at: '2026-07-01 00:00:00' }, rules: ['score<50'] },
  'of an older server': { run: { not_run_checks: undefined, is_empty: undefined }, rules: ['score<50'] },
}

describe.each(Object.entries(gates))('a gate, %s', (_, { run: more, items = [], rules: own = rules, line }) => {
  const run = runWith({ not_run_checks: 0, checks_not_run: [], is_empty: false, ...more })
  const policy = policyWith(own, line ? `undecided: [{part: ${line}, until: 2099-01-01}]` : 'fail_on: []')
  const result = evaluateGate(policy, { run, freshness: freshnessFor(items), findings: [] }, now)
  const { state } = viewGate({ ...result, run: result })
  const tone = { passed: 'good', failed: 'bad', undecided: 'warn', stated: 'strong' }[state] as Tone
  const at = '2026-09-01 11:00:00'
  const recorded = { rules: result.rules.map(recordRule), exceptions: [], policy: { name: 'p', digest: 'd' } }
  const gate = { verdict: result.verdict, at, policies: [{ ...recorded, verdict: result.verdict, at, by: 'ada' }] }
  const none = { found: { items: [], checks: [] } }
  const redactor = new Redactor([])
  const report = {
    run,
    redactor,
    gate: { found: gate },
    madeAt: now,
    findings: none,
    comparison: {},
    freshness: {},
    trends: {},
  }

  test('is judged alike', () => {
    expect(renderGate(io, result)).toContain(painted(tone, result.verdict))
    expect(renderMarkdown({ run, result }, 100_000)).toContain(`## Gate ${marks[tone]} ${result.verdict}`)
    expect(String(renderVerdict(report as never))).toContain(
      `class="verdict ${state}"><strong>Gate ${result.verdict}</strong>`,
    )
  })

  test('has rules of the same level in files of a pipeline', () => {
    const [junit, annotations] = [renderJunit({ run, result }), renderAnnotations(result)]
    const cases = [...junit.matchAll(/<testcase [^>]*?(?:\/>|>(.*?)<\/testcase>)/gs)].map(([, inner = '']) => inner)
    const words = {
      bad: ['<failure', '::error '],
      warn: ['<error|<skipped', '::warning '],
      good: ['^$', undefined],
    } as const
    for (const [index, rule] of result.rules.entries()) {
      const [element, command] = words[ruleTone(rule) as keyof typeof words]
      expect(cases[index]).toMatch(new RegExp(element))
      const line = annotations.split('\n').find((each) => each.includes(`title=Gate%3A ${rule.rule}::`))
      expect(line?.split('title')[0]).toBe(command)
    }
  })

  test('tells an assistant of every gap', async () => {
    const { about, said } = await explainGate.ask(
      (async () => ({ ...run, gate })) as never,
      { run_id: 'r' },
      { rows: { offset: 0, limit: 1 }, now },
    )
    const view = viewRecordedGate(gate, judgedRun(run, now), { now })
    expect(about.undecided!.map(plainText)).toEqual(view.gaps.map((gap) => `${plainText(gap)}.`))
    expect(plainText(said)).toContain(gate.verdict === 'undecided' ? 'is undecided' : gate.verdict)
  })

  test('has rules of the same words and tones', () => {
    const [terminal, markdown] = [renderGate(io, result), renderMarkdown({ run, result }, 100_000)]
    const [page, listed] = [String(gateOfReport(report as never)), renderRecorded(io, gate)]
    for (const rule of result.rules) {
      const toneOfRule = ruleTone(rule)
      const sign = { passed: '✓', failed: '✗', undecided: '?' }[rule.verdict]
      expect(terminal).toContain(painted(toneOfRule, sign))
      expect(markdown).toContain(`| ${marks[toneOfRule]} ${rule.verdict} |`)
      expect(page).toContain(spanned(toneOfRule, rule.verdict))
      if (toneOfRule !== 'good') expect(listed).toContain(painted(toneOfRule, sign))
    }
  })
})

test.each(['up_to_date', 'minor_behind', 'major_behind', 'unknown'] as const)(
  'versions %s are toned alike',
  async (status) => {
    const item = {
      cluster_name: 'shop',
      environment: 'prod',
      cluster_id: 'c',
      name: 'nginx',
      artifact_type: 'image',
      version: '1',
    }
    const items = [{ ...item, status, releases_behind: 1, days_behind: 1, count: 1, seen_at: '2026-09-01 11:00:00' }]
    const summary = { clusters: 1, running: 1, with_inventory: 1, pending: 0 }
    const found = { product: { id: 1, name: 'NGINX', latest_version: '2' }, summary, unknown: [], items } as never
    const page = await toProjectPage(found, now)
    expect(page).toContain(`class="verdict ${versionsVerdict(found, now).state}"`)
    const tone = versionColumns.version.tone!(items[0] as never)
    expect(page).toContain(spanned(tone, statusWord(items[0] as never)))
  },
)
