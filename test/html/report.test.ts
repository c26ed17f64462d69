import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { redactFindings, redactReport } from '../../src/html/report/redact.ts'
import { renderRunReport } from '../../src/html/report/render.ts'
import type { Redaction, RunReport } from '../../src/html/report/report.ts'
import { script } from '../../src/html/script.ts'
import { checkOfNamespace, checkOfResource } from '../../src/reports/place-check.ts'
import { hostileTexts } from './hostile.ts'
import { emptyReport, toReport } from './reports.ts'
import { faultsFor } from './valid.ts'

const plain = toReport((tag) => tag)

/** Without script, styles and tags. */
const toText = (page: string): string =>
  page
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

describe('a report', () => {
  test('names every part that is missing, and is neither green nor blank', () => {
    const page = renderRunReport(emptyReport())
    const text = toText(page)
    expect(text).toContain('Not judged')
    expect(text.match(/n\/a The server does not know\./g)).toHaveLength(9)
    expect(text).toContain('Whether every check ran is not known.')
    expect(page).not.toMatch(/class="[^"]*\b(?:good|passed)\b/)
    expect(text).not.toMatch(/\b(?:undefined|null|NaN)\b|\[object/)
  })

  test('lists the charts that git wants, those that drifted first', () => {
    const report = structuredClone(plain)
    const wanted = (name: string, state: 'equal' | 'drifted') => ({
      ...{ tool: 'argocd', kind: 'Application', namespace: 'argocd', name, chart: 'loki', repository: null, state },
      ...{ wanted_version: '6.1.0', is_exact: true, running_version: state === 'equal' ? '6.1.0' : '6.0.0' },
      ...{ artifact_key: 'loki', newest_version: '6.2.0', next_version: '6.2.0' },
    })
    report.freshness.found!.wanted = [wanted('even', 'equal'), wanted('odd', 'drifted')]
    const text = toText(renderRunReport(report))
    const [, rows = ''] = text.split('What git wants')
    expect(rows).toMatch(/argocd\/ odd loki 6\.1\.0 6\.0\.0 drifted .*argocd\/ even loki/)
    report.freshness.found!.wanted = []
    expect(toText(renderRunReport(report))).not.toContain('What git wants')
  })

  test('does not hide a gap behind a gate that passed', () => {
    const gate: RunReport['gate'] = {
      found: { ...plain.gate.found!, verdict: 'passed', policies: [] },
    }
    const text = toText(renderRunReport({ ...plain, gate }))
    expect(text).toContain('Gate passed The rules are not listed. 1 check did not run.')
    expect(text).toContain('3 not comparable')
  })

  test('is green only when the report lists every finding that the scanner counted', () => {
    const report = structuredClone(plain)
    Object.assign(report.run, { not_run_checks: 0, is_empty: false })
    const { policies } = report.gate.found!
    for (const { rules } of policies!) for (const rule of rules) Object.assign(rule, { verdict: 'passed', rule: 'new' })
    report.gate.found!.verdict = 'passed'
    const [check] = report.findings.found!.checks
    const formatBanner = (unlisted_rows: number) => {
      for (const each of report.findings.found!.checks) each.unlisted_rows = 0
      check!.unlisted_rows = unlisted_rows
      return /<div class="verdict (\w+)"><strong>Gate passed<\/strong>(.*?)<\/div>/
        .exec(renderRunReport(report))!
        .slice(1)
    }
    expect(formatBanner(0)).toEqual(['passed', expect.stringContaining('passed: new')])
    expect(formatBanner(2)).toEqual(['undecided', expect.stringContaining('does not list 2 findings')])
  })

  test('starts with its checks closed when it lists more than 200 findings', () => {
    const report = structuredClone(plain)
    const { checks, items } = report.findings.found!
    const [check] = checks
    const opened = (many: number) => {
      const more = Array.from({ length: many - items.length }, (_, i) => ({
        ...items[0]!,
        check_id: check!.check_id,
        fingerprint: `more-${i}`,
      }))
      const found = { ...report.findings.found!, findings: many, rows: many, items: [...items, ...more] }
      return renderRunReport({ ...report, findings: { found } }).match(/<details( open)? data-severity/g)
    }
    expect(new Set(opened(200))).toEqual(new Set(['<details open data-severity']))
    expect(new Set(opened(201))).toEqual(new Set(['<details data-severity']))
  })

  test('does not call an artifact without security facts free of fixes', () => {
    const freshness = structuredClone(plain.freshness)
    for (const item of freshness.found!.items) item.security_fixes_between = 0
    freshness.found!.coverage!.security_known = 0
    const page = renderRunReport({ ...plain, freshness })
    expect(page).toContain('<td data-title="Security fixes between">unknown</td>')
    expect(page).not.toContain('none known')
  })

  test('leaves out a value that is only a dash', () => {
    const { findings, comparison } = structuredClone(plain)
    for (const finding of [...findings.found!.items, ...comparison.found!.new_findings]) finding.value = '-'
    expect(toText(renderRunReport(plain))).toContain('(value')
    expect(toText(renderRunReport({ ...plain, findings, comparison }))).not.toContain('(-')
  })

  test('shows every fact once it is known', () => {
    const text = toText(renderRunReport(plain))
    expect(text).not.toMatch(/\b(?:undefined|null|NaN)\b|\[object/)
    const everywhere = [
      ...['Gate failed', 'rule: rule reason', 'Exceptions let 1 pass', '−4 since', 'not run reason', 'accepted'],
      ...['Regressed (1)', 'New (1)', 'Changed (1)', 'Newly suppressed (1)', 'Resolved (1)', 'Not comparable (3)'],
      ...[
        '+2.5 points',
        'recommendation',
        'fixed',
        '2, at worst high',
        'ended on 2026-06-28',
        'oldest facts are of 2026-08-22',
      ],
      ...['excluded', 'path name', 'Score 65 → 61', 'by relt 0.1.0', 'Left out nothing'],
    ]
    for (const part of everywhere) expect(text).toContain(part)
  })

  test.each([undefined, 'report.css'])('is valid HTML (stylesheet %s)', async (stylesheet) => {
    expect(await faultsFor(renderRunReport(plain, stylesheet))).toEqual([])
    expect(await faultsFor(renderRunReport(emptyReport(), stylesheet))).toEqual([])
  })

  test('says in its policy which style and script may run, and no other', () => {
    const page = renderRunReport(plain)
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!
    const hashes = [...page.matchAll(/<(?:style|script)>([\s\S]*?)<\/(?:style|script)>/g)].map(
      ([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`,
    )
    expect(hashes).toHaveLength(2)
    expect(policy).toBe(
      `default-src 'none'; style-src ${hashes[0]}; script-src ${hashes[1]}; base-uri 'none'; form-action 'none'`,
    )
    expect(Buffer.byteLength(script)).toBeLessThanOrEqual(8192)
  })

  test('has neither style nor script of its own beside a stylesheet', () => {
    expect(renderRunReport(plain, 'report.css')).not.toMatch(/<(?:style|script)|\sstyle=|\son\w+=/)
  })
})

describe('hostile texts', () => {
  test.each(hostileTexts)('%# stay text, and the page stays valid', async (hostile) => {
    const page = renderRunReport(toReport(() => hostile))
    const tags = [...page.matchAll(/<([a-z][\w-]*)/gi)].map(([, tag]) => tag!.toLowerCase())
    expect(tags.filter((tag) => ['img', 'iframe', 'object', 'base', 'form', 'input'].includes(tag))).toEqual([])
    expect(tags.filter((tag) => tag === 'script')).toHaveLength(1)
    expect(page).not.toMatch(/href="(?!https?:|#)/i)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach the page
    expect(page).not.toMatch(/[\u0000-\u0008\u200e\u200f\u202a-\u202e\u2066-\u2069]/)
    expect(page.isWellFormed()).toBe(true)
    expect(page.length).toBeLessThan(150_000)
    expect(await faultsFor(page)).toEqual([])
  })
})

describe('redaction', () => {
  /** Tags whose text must not be on the page. */
  const secrets: Record<Redaction, string[]> = {
    names: [
      ...['cluster', 'environment', 'source', 'not run reason', 'repository', 'commit', 'branch', 'build', 'resource'],
      ...['message', 'value', 'suppressed reason', 'detail', 'path reason', 'summary', 'image', 'key', 'workload'],
      ...['why', 'policy', 'person', 'rule reason', 'exception', 'accepted', 'server', 'fingerprint', 'was'],
      'running',
    ],
    namespaces: [
      ...['namespace', 'excluded', 'included', 'message', 'value', 'not run reason', 'suppressed reason', 'detail'],
      ...['accepted', 'rule reason', 'workload', 'fingerprint', 'summary', 'why'],
    ],
    ids: ['exception', 'repository', 'commit', 'build', 'fingerprint'],
  }
  const marked = toReport((tag) => `${tag.replaceAll(' ', '-')}-zq7`)

  test.each(Object.entries(secrets) as [Redaction, string[]][])('of %s leaves none on the page', (kind, tags) => {
    const page = renderRunReport(redactReport(marked, [kind]))
    const left = tags.filter((tag) => new RegExp(`\\b${tag.replaceAll(' ', '-')}(?:-\\w+)*-zq7`).test(page))
    expect(left).toEqual([])
    expect(toText(page)).not.toMatch(/\b(?:undefined|null|NaN)\b|\[object/)
  })

  test('of ids takes away runs and digests', () => {
    const page = renderRunReport(redactReport(marked, ['ids']))
    expect(page).not.toMatch(/crun_|a3a3/)
    for (const id of ['crun_', 'a3a3']) expect(renderRunReport(marked)).toContain(id)
  })

  test('gives one name one word, on the page and in the file of findings', () => {
    const redacted = redactReport(marked, ['names', 'namespaces'])
    const [first] = redacted.comparison.found!.new_findings
    const [again] = redactFindings(marked.findings.found!, redacted.redactor).items
    expect(first).toMatchObject({ namespace: 'namespace-1', resource: 'name-1', message: 'left out', value: null })
    expect(again).toMatchObject({ namespace: 'namespace-1', resource: 'name-1', fingerprint: '' })
  })

  test('of namespaces takes away names that contain one', () => {
    const findings = structuredClone(marked.findings.found!)
    findings.items[0]!.resource = 'rolebinding/namespace-zq7-admin'
    const report = { ...marked, findings: { found: findings } }
    const [item] = redactReport(report, ['namespaces']).findings.found!.items
    expect(item!.resource).toMatch(/^name-\d+$/)
  })

  test('of namespaces takes away every name around the findings that contains one', () => {
    const report = structuredClone(marked)
    report.findings.found!.items[0]!.namespace = 'shop'
    Object.assign(report.run, { environment: 'shop-prod', source: 'shop-agent' })
    report.run.ci!.branch = 'SHOP-42'
    const [policy] = report.gate.found!.policies!
    policy!.exceptions[0]!.source = 'teams/shop/relt.yaml:5'
    policy!.by = 'shop-bot'
    report.freshness.found!.items[0]!.current_version = '1.2-shop'
    const page = renderRunReport(redactReport(report, ['namespaces']))
    expect(page.match(/.{20}shop.{20}/gi)).toBe(null)
    expect(renderRunReport(report).match(/shop/gi)!.length).toBeGreaterThan(6)
  })

  test.each([
    ['v2.4.0', 'v2.4.0'],
    ['1.27.0-rc.1', '1.27.0-rc.1'],
    ['3.0.0-beta2', '3.0.0-beta2'],
    ['1.25.3-acme-build', '1.25.3-…'],
    ['acme-main', 'left out'],
    ['2acme', '2-…'],
  ])('of names shows the version %s as %s', (version, shown) => {
    const report = structuredClone(marked)
    report.freshness.found!.items[0]!.current_version = version
    const [item] = redactReport(report, ['names']).freshness.found!.items
    expect(item!.current_version).toBe(shown)
  })

  test.each(['names', 'namespaces'] as const)('of %s renames checks that are named after a place', (kind) => {
    const report = structuredClone(marked)
    const { id, name } = checkOfResource({ namespace: 'shop', resource: 'deployment/cart-zq8' }, 'Scan')
    const whole = checkOfNamespace('zq8')
    report.run.checks_not_run = [
      { check_id: id, name, reason: '' },
      { check_id: whole.id, name: whole.name, reason: '' },
      { check_id: 'KSV001', name: 'Runs as root', reason: '' },
    ]
    const changes = report.comparison.found!
    changes.incomparable_findings = [{ reason: 'check_not_run', check_id: id, check_name: name, count: 1 }]
    changes.scope_changes!.checks_removed = [id]
    const page = renderRunReport(redactReport(report, [kind]))
    expect(page.match(/.{20}zq8.{20}/g)).toBe(null)
    expect(page).toContain('Runs as root')
    expect(renderRunReport(report).match(/zq8/g)).toHaveLength(7)
  })

  test('does not say that a server is this machine', () => {
    expect(toText(renderRunReport(marked))).toContain('server-zq7')
    const page = renderRunReport(redactReport(marked, ['ids']))
    expect(page).toContain('<dt>Facts of</dt><dd>left out</dd>')
  })

  test('leaves out the words of a server', () => {
    const report = { ...marked, freshness: { missing: 'No such cluster as shop.', isForeign: true } }
    expect(renderRunReport(redactReport(report, ['ids']))).not.toContain('shop')
  })

  test('leaves a report alone when nothing is asked for', () => {
    expect(redactReport(marked, [])).toBe(marked)
  })
})
