import { describe, expect, test } from 'vitest'
import { readScan } from '../../src/reports/formats/index.ts'
import { readRecommendation, readUrl } from '../../src/reports/guidance.ts'
import { scoreGains } from '../../src/reports/score-gain.ts'

const guidanceFor = async (report: object) => (await readScan(Buffer.from(JSON.stringify(report)))).guidance

const check = (more: object) => ({
  ID: 'SEC003',
  Name: 'Root',
  Severity: 'critical',
  Total: 1,
  Items: [{ Resource: 'pod/a', Message: 'x' }],
  ...more,
})

describe('guidance', () => {
  test.each([
    ['a text', 'Set  runAsUser.\n', 'Set runAsUser.'],
    ['an object', { text: 'Set it.', html: '<b>No</b>', SpeechBubble: ['no'] }, 'Set it.'],
    ['HTML alone', { html: '<ul><li><b>Set</b> a &lt;name&gt;</li></ul>' }, 'Set a <name>'],
    ['a bubble alone', { SpeechBubble: ['One.', 'Two.'] }, 'One. Two.'],
    ['nothing', null, undefined],
    ['blanks', '  ', undefined],
  ])('reads a recommendation that is %s', (_, value, expected) => {
    expect(readRecommendation(value)).toBe(expected)
  })

  test.each([
    'javascript:alert(1)',
    'ftp://x.example/',
    'https://user:pw@x.example/',
    'https://x.example/a b',
    '',
    5,
    null,
  ])('takes no address from %o', (value) => expect(readUrl(value)).toBeUndefined())

  test('has checks with open or suppressed findings', async () => {
    const URL = 'https://kubernetes.io/docs/'
    const { checks, totalWeight } = await guidanceFor({
      metadata: { clusterName: 'blue' },
      checks: {
        SEC003: check({ Weight: 4, Recommendation: 'Set runAsUser.', URL }),
        WRK001: check({ ID: 'WRK001', Total: 0, Items: [], Weight: 2, Recommendation: 'All is well.', URL }),
        NET001: check({
          ID: 'NET001',
          Total: 0,
          Items: [],
          SuppressedFindings: [{ Message: 'x' }],
          Recommendation: 'Close it.',
        }),
      },
    })
    expect(checks).toEqual([
      { id: 'SEC003', name: 'Root', weight: 4, rows: [1, 0, 0, 0, 0, 0], recommendation: 'Set runAsUser.', url: URL },
      { id: 'NET001', name: 'Root', weight: null, rows: [0, 0, 0, 0, 0, 0], recommendation: 'Close it.', url: null },
    ])
    expect(totalWeight).toBe(6)
  })

  test('comes from other scanners that have it', async () => {
    const sarif = {
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: { name: 't', rules: [{ id: 'R1', help: { text: 'Do it.' }, helpUri: 'https://r.example/1' }] },
          },
          results: [{ ruleId: 'R1', message: { text: 'x' } }],
        },
      ],
    }
    expect((await guidanceFor(sarif)).checks).toMatchObject([
      { id: 'R1', recommendation: 'Do it.', url: 'https://r.example/1', rows: [0, 0, 1, 0, 0, 0] },
    ])
    const bench = {
      Controls: [
        {
          id: '1',
          tests: [
            {
              section: '1.1',
              desc: 'd',
              results: [{ test_number: '1.1.1', test_desc: 'd', status: 'FAIL', remediation: 'Run chmod.' }],
            },
          ],
        },
      ],
    }
    expect((await guidanceFor(bench)).checks).toMatchObject([{ id: '1.1.1', recommendation: 'Run chmod.' }])
    const trivy = {
      ArtifactName: 'x',
      Results: [
        {
          Target: 'x',
          Misconfigurations: [
            {
              ID: 'KSV001',
              Severity: 'HIGH',
              Status: 'FAIL',
              Resolution: 'Set it.',
              PrimaryURL: 'https://avd.example/ksv001',
            },
          ],
        },
      ],
    }
    expect((await guidanceFor(trivy)).checks).toMatchObject([
      { id: 'KSV001', recommendation: 'Set it.', url: 'https://avd.example/ksv001', rows: [0, 1, 0, 0, 0, 0] },
    ])
  })
})

describe('the gain of a check', () => {
  const about = { name: 'n', recommendation: null, url: null }
  const none = { riskPaths: null, aksReadiness: null }

  test('follows from the weights of the scanner', () => {
    const checks = [
      { ...about, id: 'A', weight: 3, rows: [0, 3, 0, 0, 0, 0] },
      { ...about, id: 'B', weight: 1, rows: [1, 0, 0, 0, 0, 0] },
    ]
    const { basis, gains } = scoreGains({ ...none, checks, totalWeight: 5 })
    expect(basis).toBe('weights')
    // 3 × (1 − 1/4) ÷ 5, and 1 × (1 − 1/2) ÷ 5.
    expect(gains.map(({ check, points }) => [check.id, Math.round(points * 100) / 100])).toEqual([
      ['A', 45],
      ['B', 10],
    ])
  })

  test('follows from the formula where there are none', () => {
    const checks = [
      { ...about, id: 'A', weight: null, rows: [10, 0, 0, 0, 0, 0] },
      { ...about, id: 'B', weight: null, rows: [0, 20, 0, 0, 5, 0] },
      { ...about, id: 'C', weight: null, rows: [0, 0, 0, 0, 9, 0] },
    ]
    const { basis, gains } = scoreGains({ ...none, checks, totalWeight: null })
    expect(basis).toBe('formula')
    // 100 × 100 / (100 + 200) with both, 50 with one of them.
    expect(gains.map(({ check, points }) => [check.id, Math.round(points * 100) / 100])).toEqual([
      ['A', 16.67],
      ['B', 16.67],
    ])
  })
})
