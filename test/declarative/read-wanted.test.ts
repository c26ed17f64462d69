import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readWanted } from '../../src/declarative/read-wanted.ts'
import { maxBytes } from '../../src/declarative/source.ts'
import { ReltError } from '../../src/errors.ts'
import { anyCharacter } from '../helpers/any-character.ts'

/** What is said to be wrong, by place. */
function problemsFor(yaml: string): Record<string, string> | undefined {
  try {
    readWanted(yaml, 'relt.yaml')
  } catch (error) {
    if (error instanceof ReltError && error.code === 'usage') return error.params
    throw error
  }
  return undefined
}

test('a whole file is read, and the policy of the gate is left to others', () => {
  const { wanted } = readWanted(
    `gate: {fail_on: [*unknown], fail_on: 2}
account: {slack_webhook: env:SLACK, teams_webhook: ""}
labels:
  - {name: " prod ", color: "#1f6feb"}
subscriptions:
  - project: 1
    labels: [prod]
    email_frequency: daily
profiles:
  - name: shop
    settings: &base
      thresholds: {cpu_warning: 0x50}
      output: {yes: true}
  - name: cart
    settings: *base
`,
    'relt.yaml',
  )
  const settings = { thresholds: { cpu_warning: 80 }, output: { yes: true } }
  expect(wanted).toEqual({
    account: { slack_webhook: 'env:SLACK', teams_webhook: '' },
    labels: [{ name: 'prod', color: '#1f6feb' }],
    subscriptions: [{ project: 1, labels: ['prod'], email_frequency: 'daily' }],
    profiles: [
      { name: 'shop', settings },
      { name: 'cart', settings },
    ],
  })
})

test.each(['', '# nothing\n', 'gate: {exceptions: [1]}\n', '{}'])('%j wants nothing', (yaml) => {
  expect(readWanted(yaml, 'relt.yaml').wanted).toEqual({})
})

describe('what is wrong is refused with its line', () => {
  test.each<[string, string, string]>([
    ['label: []\n', 'relt.yaml:1', 'there is no key "label"; did you mean labels?'],
    [
      '\nzzz: 1\n',
      'relt.yaml:2',
      'there is no key "zzz"; known are team, account, labels, subscriptions, profiles, owners',
    ],
    [
      'subscriptions:\n  - project: Harbor\n    email_frequenzy: daily\n',
      'relt.yaml:3',
      'there is no key "email_frequenzy"; did you mean email_frequency?',
    ],
    [
      'profiles:\n  - name: a\n    settings:\n      prometheus:\n        urll: x\n',
      'relt.yaml:5',
      'there is no key "urll"; did you mean url?',
    ],
    [
      'profiles:\n  - name: a\n    settings:\n      treshold: {}\n',
      'relt.yaml:4',
      'there is no key "treshold"; did you mean thresholds?',
    ],
    ['labels:\n  - {name: a, color: red}\n', 'relt.yaml:2', 'labels.0.color: must be a color such as #1f6feb'],
    ['labels: [{name: a}]\n', 'relt.yaml:1', 'labels.0.color: a text is needed'],
    ['labels:\n', 'relt.yaml:1', 'labels: a list is needed'],
    ['account: []\n', 'relt.yaml:1', 'account: an object is needed'],
    ['subscriptions:\n- project: {}\n', 'relt.yaml:2', 'subscriptions.0.project: must be the name or id of a project'],
    [
      'subscriptions:\n- {project: a, notifications_paused: maybe}\n',
      'relt.yaml:2',
      'subscriptions.0.notifications_paused: true or false is needed',
    ],
    [
      'subscriptions:\n- project: a\n  email_frequency: hourly\n',
      'relt.yaml:3',
      'subscriptions.0.email_frequency: one of per_app, daily, weekly is needed',
    ],
    ['labels:\n- {name: A, color: "#000000"}\n- {name: a, color: "#000000"}\n', 'relt.yaml:3', '"a" appears twice'],
    ['profiles:\n- name: A\n- name: A\n', 'relt.yaml:3', '"A" appears twice'],
    ['labels: []\nlabels: []\n', 'relt.yaml:2', 'labels appears twice'],
    ['profiles:\n- name: a\n  __proto__: 1\n', 'relt.yaml:3', 'no key that can be used'],
    ['- a\n', 'relt.yaml:1', 'a mapping is needed here'],
    ['labels: *a\n', 'relt.yaml:1', 'there is no anchor &a before'],
    ['profiles: &a\n- name: a\n  settings: {radar: {x: *a}}\n', 'relt.yaml:2', 'nested too deeply'],
    ['labels: [\n', 'relt.yaml:2', 'Flow sequence in block collection must be sufficiently indented and end with a ]'],
  ])('%j', (yaml, place, problem) => {
    const problems = problemsFor(yaml)
    expect(problems?.[place]).toContain(problem)
    expect(Object.keys(problems!)).toEqual([place])
  })

  test('every problem at once, but not thousands', () => {
    const yaml = `${'x'.repeat(500)}: 1\n${Array.from({ length: 10_000 }, (_, i) => `a${i}: 1\n`).join('')}`
    expect(Object.keys(problemsFor(yaml)!)).toHaveLength(20)
  })
})

test('a webhook that cannot be used is not repeated', () => {
  for (const secret of ['ftp://hooks.example/T0/secret', 'env:not a name secret', 'ftp://secret']) {
    const problems = problemsFor(`account:\n  slack_webhook: ${JSON.stringify(secret)}\n`)
    expect(problems).toEqual({
      'relt.yaml:2':
        'account.slack_webhook: must be an https address, or env:NAME with the name of an environment variable',
    })
  }
})

describe('hostile YAML stays within bounds', () => {
  test('of size', () => {
    expect(problemsFor(`#${'x'.repeat(maxBytes)}`)).toEqual({ 'relt.yaml': 'larger than 4096 KB' })
  })

  test.each([['['], ['{a: ']])('of depth, with %j', (open) => {
    expect(Object.values(problemsFor(`labels: ${open.repeat(20_000)}`)!)[0]).toBe('nested too deeply')
  })

  test('of aliases that multiply', () => {
    const lines = ['labels:', '- &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]']
    for (let i = 1; i < 12; i++) lines.push(`- &a${i} [${Array.from({ length: 10 }, () => `*a${i - 1}`).join(', ')}]`)
    expect(Object.values(problemsFor(lines.join('\n'))!)).toEqual([expect.stringContaining('too many values')])
  })

  test('whatever is in it', async () => {
    const word = fc.constantFrom(
      'labels',
      'account',
      'gate',
      ': ',
      '- ',
      '\n',
      '  ',
      '&a ',
      '*a',
      '[',
      ']',
      '{',
      '}',
      '%YAML 1.1\n---\n',
      '!!binary ',
      '!!set ',
      '<<',
      '? ',
      '"',
      '|',
      '__proto__',
      '.nan',
      '\u0000',
    )
    await fc.assert(
      fc.property(
        fc.array(fc.oneof(word, fc.string({ unit: anyCharacter, maxLength: 4 })), { maxLength: 30 }),
        (words) => {
          problemsFor(words.join(''))
        },
      ),
      { numRuns: 500 },
    )
  })
})
