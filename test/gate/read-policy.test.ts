import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { ReltError } from '../../src/errors.ts'
import { completePolicy } from '../../src/gate/complete-policy.ts'
import { maxPolicyBytes, readPolicy } from '../../src/gate/read-policy.ts'

const exception = { reason: 'planned', expires: '2026-12-31' }

/** What is said to be wrong, by place. */
function problemsFor(yaml: string): Record<string, string> | undefined {
  try {
    readPolicy(yaml, 'relt.yaml')
  } catch (error) {
    if (error instanceof ReltError && error.code === 'gate_undecided') return error.params
    throw error
  }
  return undefined
}

const problemsWith = (entry: object) => problemsFor(stringify({ gate: { exceptions: [entry] } }))

test('a whole policy is read, each exception with its line', () => {
  const policy = readPolicy(
    `scan: {runner: native}
gate:
  fail_on:
    - score<80
    - new >= high
  begin: 2026-11-28
  undecided:
    - {part: PROM*, until: 2026-12-31}
    - {forbidden: [secrets, roles], cluster: prod, reason: no access yet, until: 2026-12-31}
  baseline:
    - {cluster: prod, day: 2026-11-28, reason: moved, until: 2026-12-31}
    - {cluster: prod, subject: web, commit: 0a1b, reason: moved, until: 2026-12-31}
  exceptions:
    - fingerprint: 0123456789abcdef0123456789abcdef
      reason: accepted
      expires: 2026-12-31
    - {check: SEC003, namespace: shop-*, resource: pod/*, reason: moving, expires: 2027-01-31}
    - artifact: docker.io/library/nginx:*
      reason: waits for the mirror
      expires: "2026-10-01"
`,
    'relt.yaml',
  )
  expect(policy).toEqual({
    unknownSeverity: 'undecided',
    unrated: 'ignore',
    events: 'ignore',
    renamed: 'ignore',
    rules: [
      { text: 'score<80', kind: 'score', limit: 80 },
      { text: 'new>=high', kind: 'new', severity: 'high', allowed: 0 },
    ],
    begin: '2026-11-28',
    undecided: [
      { part: ['PROM*'], place: [], forbidden: [], expires: '2026-12-31', source: 'relt.yaml:8' },
      {
        part: [],
        place: [],
        forbidden: ['secrets', 'roles'],
        cluster: 'prod',
        reason: 'no access yet',
        expires: '2026-12-31',
        source: 'relt.yaml:9',
      },
    ],
    takenIn: [
      { cluster: 'prod', day: '2026-11-28', reason: 'moved', expires: '2026-12-31', source: 'relt.yaml:11' },
      {
        cluster: 'prod',
        subject: 'web',
        commit: '0a1b',
        reason: 'moved',
        expires: '2026-12-31',
        source: 'relt.yaml:12',
      },
    ],
    exceptions: [
      {
        fingerprint: '0123456789abcdef0123456789abcdef',
        reason: 'accepted',
        expires: '2026-12-31',
        source: 'relt.yaml:14',
      },
      {
        check: 'SEC003',
        namespace: 'shop-*',
        resource: 'pod/*',
        reason: 'moving',
        expires: '2027-01-31',
        source: 'relt.yaml:17',
      },
      {
        artifact: 'docker.io/library/nginx:*',
        reason: 'waits for the mirror',
        expires: '2026-10-01',
        source: 'relt.yaml:18',
      },
    ],
  })
})

test.each(['', '# nothing\n', 'scan: {}\n', 'a: 1\na: 2\n'])('%j has no policy', (yaml) => {
  expect(readPolicy(yaml, 'relt.yaml')).toBeUndefined()
})

describe('what is wrong is refused with its line', () => {
  test.each<[string, string, RegExp]>([
    ['gate:\n  fail_on: [score>80]\n', 'relt.yaml:2', /"score>80" is not a rule. Rules look like score<80/],
    ['gate:\n  fail_on:\n    - new>=high\n    - 7\n', 'relt.yaml:4', /"7" is not a rule/],
    ['gate:\n  fail_on: score<80\n', 'relt.yaml:2', /fail_on must be a list/],
    ['gate:\n  failon: []\n', 'relt.yaml:2', /gate has no key "failon"/],
    ['gate:\n  fail_on: []\n  fail_on: []\n', 'relt.yaml:3', /fail_on appears twice/],
    ['gate: {}\ngate: {}\n', 'relt.yaml:2', /gate appears twice/],
    ['gate: on\n', 'relt.yaml:1', /gate must be a mapping/],
    ['gate:\n  begin: soon\n', 'relt.yaml:2', /"soon" is not a date/],
    ['gate:\n  undecided: PROM*\n', 'relt.yaml:2', /undecided must be a list/],
    ['gate:\n  undecided: [PROM001]\n', 'relt.yaml:2', /a line of undecided must be a mapping/],
    ['gate:\n  undecided: [{part: PROM001}]\n', 'relt.yaml:2', /a line of undecided needs until: YYYY-MM-DD/],
    ['gate:\n  undecided: [{until: 2026-12-31}]\n', 'relt.yaml:2', /has one of part, place and forbidden/],
    // Read as "in this namespace", it would let the check be unknown everywhere.
    ['gate:\n  undecided: [{part: SEC001, place: dev, until: 2026-12-31}]\n', 'relt.yaml:2', /has one of part, place/],
    ['gate:\n  undecided: [{part: x, forbidden: pods, until: 2026-12-31}]\n', 'relt.yaml:2', /has one of part, place/],
    ['gate:\n  undecided: [{part: [true], until: 2026-12-31}]\n', 'relt.yaml:2', /part must be text/],
    ['gate:\n  undecided: [{part: A, check: B, until: 2026-12-31}]\n', 'relt.yaml:2', /has no key "check"/],
    ['gate:\n  baseline: [{cluster: a, reason: x, until: 2026-12-31}]\n', 'relt.yaml:2', /either commit or day/],
    ['gate:\n  baseline: [{day: 2026-12-31, reason: x, until: 2026-12-31}]\n', 'relt.yaml:2', /names its cluster/],
    ['gate:\n  baseline: [{cluster: a, commit: b, until: 2026-12-31}]\n', 'relt.yaml:2', /needs a reason/],
    ['gate:\n  baseline: [{cluster: a, commit: b, reason: x}]\n', 'relt.yaml:2', /needs until/],
    ['gate:\n  <<: {fail_on: []}\n', 'relt.yaml:2', /gate has no key "<<"/],
    ['gate:\n  __proto__: {}\n', 'relt.yaml:2', /gate has no key "__proto__"/],
    ['x: &a [score<80]\ngate:\n  fail_on: *a\n', 'relt.yaml:3', /fail_on must be a list/],
    ['gate:\n  fail_on: [score<80\n', 'relt.yaml:3', /./],
    ['gate: {}\n---\ngate: {}\n', 'relt.yaml:2', /multiple documents/i],
  ])('%j', (yaml, source, problem) => {
    const problems = problemsFor(yaml)
    expect(Object.keys(problems ?? {})[0]?.startsWith(source)).toBe(true)
    expect(Object.values(problems!).join('\n')).toMatch(problem)
  })

  test.each<[object, RegExp]>([
    [{ check: 'SEC003', expires: '2026-12-31' }, /needs a reason/],
    [{ check: 'SEC003', reason: ' ', expires: '2026-12-31' }, /reason must be text/],
    [{ check: 'SEC003', reason: 'x' }, /needs expires/],
    [{ check: 'SEC003', reason: 'x', expires: '2026-02-30' }, /"2026-02-30" is not a date/],
    [{ check: 'SEC003', reason: 'x', expires: 'never' }, /"never" is not a date/],
    [{ check: 'SEC003', reason: 'x', expires: 20261231 }, /"20261231" is not a date/],
    [exception, /has a fingerprint; or check/],
    [{ ...exception, fingerprint: 'abc' }, /32 hex digits/],
    [{ ...exception, fingerprint: '0'.repeat(32), check: 'SEC003' }, /has a fingerprint; or check/],
    [{ ...exception, artifact: 'x', resource: 'y' }, /has a fingerprint; or check/],
    [{ ...exception, check: true }, /check must be text/],
    [{ ...exception, check: 'x', owner: 'me' }, /an exception has no key "owner"/],
    [{ ...exception, check: 'x'.repeat(301) }, /at most 300 characters/],
  ])('exception %j', (entry, problem) => {
    expect(Object.values(problemsWith(entry) ?? {}).join('\n')).toMatch(problem)
  })

  test('a key without a value does not stand for itself', () => {
    const problems = problemsFor('gate: {exceptions: [{check, reason: x, expires: 2026-12-31}]}')
    expect(Object.values(problems!).join()).toContain('check has no value')
  })

  test('every problem is told at once', () => {
    const problems = problemsFor('gate:\n  fail_on: [a, b]\n  begin: x\n  exceptions:\n    - {check: y}\n')
    expect(Object.keys(problems!)).toEqual(['relt.yaml:2', 'relt.yaml:3', 'relt.yaml:5'])
  })

  test('a file too large, too deep or with too many entries', () => {
    expect(problemsFor(`#${' '.repeat(maxPolicyBytes)}`)).toEqual({ 'relt.yaml': 'is larger than 256 KB' })
    expect(problemsFor(`gate: ${'['.repeat(100_000)}`)).toBeDefined()
    expect(problemsFor(stringify({ gate: { fail_on: Array(101).fill('score<80') } }))).toEqual({
      'relt.yaml:3': 'fail_on has at most 100 entries',
    })
  })
})

test('any text is a policy, none, or refused in words', () => {
  const piece = fc.constantFrom(
    'gate:',
    '\n  ',
    'fail_on:',
    '- ',
    '[',
    '{',
    ': ',
    '*a',
    '&a ',
    '!!str ',
    '|',
    '"',
    'score<80',
  )
  const source = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  )
  fc.assert(
    fc.property(source, (yaml) => {
      problemsFor(yaml)
    }),
    { numRuns: 2000 },
  )
})

describe('a complete policy', () => {
  test('has the rules of the file and of the flags, each once', () => {
    const file = readPolicy('gate: {fail_on: [score<80, new>=high]}', 'relt.yaml')
    const policy = completePolicy(file, { failOn: ['new >= high', 'kubernetes-eol'] })
    expect(policy.rules.map((rule) => rule.text)).toEqual(['score<80', 'new>=high', 'kubernetes-eol'])
  })

  test('needs a rule', () => {
    expect(() => completePolicy(undefined, { failOn: [] })).toThrow('The gate has no rules.')
    expect(() => completePolicy(readPolicy('gate: {}', 'f'), { failOn: [] })).toThrow('has no rules')
  })

  test('refuses a flag that is no rule', () => {
    expect(() => completePolicy(undefined, { failOn: ['score<80', 'new'] })).toThrow(
      expect.objectContaining({ code: 'gate_undecided', params: { '--fail-on': expect.stringContaining('"new"') } }),
    )
  })
})

test('the keys of rules on advisories are read', () => {
  const yaml = 'gate: {fail_on: [affected>=high], unknown_severity: ignore, first_seen_before: 14d}'
  expect(readPolicy(yaml, 'relt.yaml')).toMatchObject({ unknownSeverity: 'ignore', graceDays: 14 })
})

test.each([
  ['unknown_severity: pass', 'unknown_severity is fail, ignore or undecided'],
  ['first_seen_before: soon', 'first_seen_before is a number of days such as 14d'],
  [
    'exceptions: [{advisory: all, reason: x, expires: 2099-01-01}]',
    'an advisory is named by an id such as CVE-2026-1234',
  ],
  [
    'exceptions: [{artifact: x, justification: inline_mitigations_already_exist, reason: x, expires: 2099-01-01}]',
    expect.stringContaining('justification belongs to an advisory'),
  ],
  [
    'exceptions: [{advisory: CVE-2026-1, justification: because, reason: x, expires: 2099-01-01}]',
    expect.stringContaining('vulnerable_code_not_present'),
  ],
])('refuses %s', (line, problem) => {
  expect(problemsFor(`gate: {fail_on: [affected>=high], ${line}}`)).toEqual({ 'relt.yaml:1': problem })
})
