import { expect, test } from 'vitest'
import { renderMarkdown } from '../../src/ci/markdown.ts'
import { renderComparison } from '../../src/cli/commands/reports/compare-view.ts'
import type { Comparison } from '../../src/contract/cluster-report.ts'
import { comparePage } from '../../src/html/pages/compare.ts'
import { View } from '../../src/html/pages/view.ts'
import { renderChanges } from '../../src/html/report/changes.ts'
import { compareRuns } from '../../src/mcp/tools/runs.ts'
import { createColor } from '../../src/render/terminal/color.ts'
import { countsSaid, viewComparison } from '../../src/views/comparison.ts'
import { Redactor } from '../../src/views/redaction.ts'
import { plainText } from '../../src/views/said.ts'
import { comparisonWith, findingWith, now, runWith } from '../gate/evidence.ts'

const notRun = [{ check_id: 'PROM001', name: 'CPU', reason: 'No data.' }]
const gaps = { not_run_checks: 1, checks_not_run: notRun }
const clean = { not_run_checks: 0, checks_not_run: [], is_empty: false }

const runs = (from: object, to: object) => ({
  from: runWith({ run_id: 'crun_a', score: 60, ...clean, ...from }),
  to: runWith({ run_id: 'crun_b', score: 90, ...clean, ...to }),
  score_delta: 30,
})
const incomparable = { score_delta: null }

interface State {
  found: Comparison
  verdict: 'passed' | 'failed' | 'undecided'
  score: 'good' | 'bad' | 'soft'
}

const states: Record<string, State> = {
  known: { found: comparisonWith(runs({}, {})), verdict: 'passed', score: 'good' },
  'not run': { found: comparisonWith({ ...runs({}, gaps), ...incomparable }), verdict: 'undecided', score: 'soft' },
  'not run before': {
    found: comparisonWith({ ...runs(gaps, {}), ...incomparable }),
    verdict: 'undecided',
    score: 'soft',
  },
  'another scope': {
    found: comparisonWith({
      ...runs({}, {}),
      ...incomparable,
      scope_changes: { namespaces_excluded: [], namespaces_included: [], checks_removed: ['SEC001'], checks_added: [] },
    }),
    verdict: 'passed',
    score: 'soft',
  },
  incomparable: {
    found: comparisonWith({ ...runs({}, {}), ...incomparable, incomparable_findings_count: 3 }),
    verdict: 'undecided',
    score: 'soft',
  },
  empty: {
    found: comparisonWith({ ...runs({}, { is_empty: true }), ...incomparable }),
    verdict: 'undecided',
    score: 'soft',
  },
  fallen: {
    found: comparisonWith({ ...runs({ score: 90 }, { score: 60 }), score_delta: -30 }),
    verdict: 'passed',
    score: 'bad',
  },
  'events, and what came into scope': {
    found: comparisonWith({
      ...runs({}, {}),
      ...{ event_findings: [findingWith()], event_findings_count: 1 },
      ...{ first_seen_findings: [findingWith()], first_seen_findings_count: 1, unchanged_findings_count: 7 },
    }),
    verdict: 'passed',
    score: 'good',
  },
  'new findings': {
    found: comparisonWith({ ...runs({}, {}), new_findings: [findingWith()] }),
    verdict: 'failed',
    score: 'good',
  },
}

const ansi = { good: '32', bad: '31', soft: '2' }

test.each(Object.entries(states))(
  '%s is judged and toned alike in every medium',
  async (_, { found, verdict, score }) => {
    expect(viewComparison(found).verdict.state).toBe(verdict)
    const areAlike = found.score_delta !== null
    expect(areAlike).toBe(score !== 'soft')

    const io = { isTerminal: true, width: 120, color: createColor(true), link: (text: string) => text } as never
    const drawn = { good: '+30', bad: '-30', soft: '(not comparable)' }[score]
    expect(renderComparison(io, found)).toContain(`\u001b[${ansi[score]}m${drawn}`)

    const viewer = {
      login: 'ada',
      isPro: true,
      nonce: undefined,
      isReadOnly: false,
      team: null,
      teams: [],
    }
    const view = new View({ path: '/compare', query: {}, viewer, now })
    const page = String(
      (
        await comparePage.show({
          params: {},
          query: { cluster_name: 'shop-prod' },
          view,
          call: async (name) => (name === 'listReports' ? { items: [] } : found) as never,
        })
      ).body,
    )
    expect(page).toContain(`class="verdict ${verdict}"`)
    if (areAlike) expect(page).toMatch(new RegExp(`<span class="${score}">[+\u2212]30`))

    const report = String(renderChanges({ comparison: { found }, redactor: new Redactor([]) } as never))
    const summary = renderMarkdown({ run: found.to, comparison: found, result: emptyResult } as never, 100_000)
    for (const text of [page, summary]) expect(text.includes('not comparable')).toBe(!areAlike)
    const counts = plainText(countsSaid(viewComparison(found)))
    const call = (async () => found) as never
    const tool = await compareRuns.ask(call, {}, { rows: { offset: 0, limit: 1 }, now })
    const terminal = renderComparison(
      { isTerminal: true, width: 200, color: createColor(false), link: (text: string) => text } as never,
      found,
    )
    const media = { page, report, summary, tool: plainText(tool.said), terminal }
    for (const [medium, text] of Object.entries(media))
      expect([medium, text.replace(/<[^>]*>/g, '')]).toEqual([medium, expect.stringContaining(counts)])
  },
)

const none = { used: [], unused: [], expired: [] }
const emptyResult = { verdict: 'passed', rules: [], exceptions: none, undecided_lines: none, causes: [] }
