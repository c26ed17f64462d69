import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseRule, ruleForms } from '../../src/gate/rules.ts'

describe('a rule', () => {
  test.each([
    ['score<80', { kind: 'score', limit: 80 }],
    ['score < 72.5', { kind: 'score', limit: 72.5, text: 'score<72.5' }],
    ['score-drop>5', { kind: 'score-drop', limit: 5 }],
    ['new>=high', { kind: 'new', severity: 'high', allowed: 0 }],
    ['new >= high > 3', { kind: 'new', severity: 'high', allowed: 3, text: 'new>=high>3' }],
    ['regressed>=medium', { kind: 'regressed', severity: 'medium', allowed: 0 }],
    ['findings>=critical>10', { kind: 'findings', severity: 'critical', allowed: 10 }],
    ['major-behind>0', { kind: 'major-behind', allowed: 0 }],
    ['security-behind>=high', { kind: 'security-behind', severity: 'high', allowed: 0 }],
    ['affected>=high', { kind: 'affected', severity: 'high', allowed: 0 }],
    ['fixable >= critical > 2', { kind: 'fixable', severity: 'critical', allowed: 2, text: 'fixable>=critical>2' }],
    ['exploited', { kind: 'exploited', allowed: 0 }],
    ['exploited>2', { kind: 'exploited', allowed: 2 }],
    ['exploited >= high > 1', { kind: 'exploited', severity: 'high', allowed: 1, text: 'exploited>=high>1' }],
    ['compromised', { kind: 'compromised' }],
    ['kubernetes-eol', { kind: 'kubernetes-eol' }],
    ['eol', { kind: 'eol', allowed: 0 }],
    ['eol>3', { kind: 'eol', allowed: 3 }],
    ['retired', { kind: 'retired', allowed: 0 }],
    ['withdrawn>1', { kind: 'withdrawn', allowed: 1 }],
    ['frozen', { kind: 'frozen', allowed: 0 }],
    ['max-age>14', { kind: 'max-age', allowed: 14 }],
    ['max_age>14d', { kind: 'max-age', allowed: 14 }],
  ])('%s is read', (text, rule) => {
    expect(parseRule(text)).toEqual({ text, ...rule })
  })

  test.each([
    '',
    'new',
    'score>80',
    'score<101',
    'score<-1',
    'score<8e1',
    'score<',
    'new>high',
    'new>=severe',
    'new>=HIGH',
    'new>=high>',
    'new>=high>-1',
    'major-behind',
    'major-behind>=1',
    'kubernetes-eol>0',
    'eol>=high',
    'compromised>1',
    'exploited>=severe',
    'eol<1',
    'score<80 new>=high',
    'score<80\nkubernetes-eol',
    'constructor',
  ])('%j is none', (text) => {
    expect(parseRule(text)).toBeUndefined()
  })

  test('every form that is named as an example is one', () => {
    for (const form of ruleForms) expect(parseRule(form)?.text).toBe(form)
  })

  test('any text is either refused or a rule whose own text reads the same', () => {
    const word = fc.constantFrom('score', 'new', 'findings', '>=', '>', '<', 'high', '3', '80', ' ', '-drop', '\n')
    const source = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 6 }).map((words) => words.join('')),
    )
    fc.assert(
      fc.property(source, (text) => {
        const rule = parseRule(text)
        if (rule) expect(parseRule(rule.text)).toEqual(rule)
      }),
      { numRuns: 2000 },
    )
  })
})
