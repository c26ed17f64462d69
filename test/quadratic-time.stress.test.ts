import { describe, expect, test } from 'vitest'
import { withoutCommands } from '../src/ci/workflow-commands.ts'
import { readable } from '../src/cli/output/readable.ts'
import { cutIndex } from '../src/collectors/helm/read-index.ts'
import { parseChallenge } from '../src/collectors/oci/challenge.ts'
import { parseVersion } from '../src/freshness/versions.ts'
import { parseRule } from '../src/gate/rules.ts'
import { ClusterNames } from '../src/reports/cluster-names.ts'
import { identityOfResult, identityOfRun } from '../src/reports/formats/sarif/identity.ts'
import { ownerName } from '../src/reports/generated-name.ts'
import { readItem } from '../src/reports/item.ts'
import { benchmarkSubject, folderSubject, imageSubject } from '../src/reports/ledger.ts'
import { mentionsNamespace } from '../src/reports/mentioned-namespace.ts'
import { stableMachines } from '../src/reports/stable-name.ts'
import { stableText, stableValue } from '../src/reports/stable-text.ts'
import { toSubject } from '../src/reports/subject.ts'
import { noteLines, plainLine } from '../src/security/note-lines.ts'
import { toSecurity } from '../src/security/security-of.ts'
import { severityInText } from '../src/security/severity-in-text.ts'
import { growthOf } from './helpers/growth.ts'

const fill = (part: string, size: number) => part.repeat(Math.ceil(size / part.length))
/** Between letters, so that nothing trims it. */
const within = (part: string) => (size: number) => `x${fill(part, size)}x`

/** What no simple text is goes to a parser, which takes only small ones. */
function readChart(index: string): unknown {
  const [entry] = cutIndex(Buffer.from(index), new Set(['web']), () => ({ k: '' })).get('web') ?? []
  return entry?.('version')
}

const notes = [' ', '\n', '<p ', '<a href="', '<!--', '- [', '](', '<', '&', '*', '`', 'fix ', 'security ', 'severity ']

describe('the time for release notes grows with their length, not with its square', () => {
  test.each(notes)('when %j is shown', (part) => {
    expect(growthOf({ run: readable, input: within(part), most: 100_000 })).toBeLessThan(3)
  })

  test.each([...notes, 'fixed vulnerabilit', 'ignore', 'cvss ', 'CVE-2026-'])(
    'when %j is read for security',
    (part) => {
      const run = (text: string) => [toSecurity({ release_notes: text }), noteLines(text).map(plainLine)]
      expect(growthOf({ run, input: within(part), most: 500_000 })).toBeLessThan(3)
    },
  )
})

describe('the time for generated names grows with their length', () => {
  const names = new ClusterNames({ nodes: new Set(['talos-9x2-abc']) })

  test.each(['-', 'a-', 'a1-', '.-', '1', 'a', 'bcdfg-', '-7k2p9-x', '-1234567890-', '-runner-'])('of %j', (part) => {
    const works = [
      (text: string) => names.text(text),
      ...['pod', 'job', 'deployment'].map((kind) => (name: string) => names.resource('shop', `${kind}/${name}`)),
      (name: string) => ownerName('workflow', name),
    ]
    for (const run of works) expect(growthOf({ run, input: within(part), most: 100_000 })).toBeLessThan(3)
  })
})

describe('the time for other texts grows with their length', () => {
  test.each<[string, (text: string) => unknown, (size: number) => string, number?]>([
    ['blanks behind "severity"', severityInText, (size) => `severity${fill(' ', size)}x`],
    ['line ends of old systems in output', withoutCommands, within('\r')],
    ['blanks in output', withoutCommands, within(' ')],
    ['names of machines', stableMachines, (size) => fill('gke-', size)],
    ['hosts of machines', stableMachines, (size) => `${fill('ip-1-1-1-1.', size)}internalx`],
    ['a challenge', parseChallenge, (size) => `Bearer ${fill('a', size)}`, 4000],
    ['a chart in an index', readChart, (size) => `entries:\n  web:\n    - version: 1${fill(' ', size)}x\n`],
    ['a tag', parseVersion, (size) => `1.0-a${fill('1', size)}b`, 240],
    ['an id of a log', (id) => identityOfRun({ automationDetails: { id } }, 'a'), (size) => `${fill('a', size)}/`],
    ['a rule', parseRule, (size) => `score${fill(' ', size)}x`],
  ])('%s', (_, run, input, most) => {
    expect(growthOf({ run, input, ...(most !== undefined && { most }) })).toBeLessThan(3)
  })
})

/** They are cut, but a report has many of them. */
describe('the time for texts of findings grows with their length', () => {
  const finding = { check_id: 'A', namespace: null, resource: null, severity: 'high', value: null }
  const check = { id: 'A', name: 'A', category: '', severity: 'high', resourceKind: '' }
  const run = (text: string) => {
    const item = { Resource: text, MetricLabels: text, Message: text, Value: text }
    return [
      readItem(item, check as never),
      mentionsNamespace({ resource: text, message: text, value: null }, new Set(['shop'])),
      identityOfResult({ run: '', result: {}, ruleId: 'A', names: text, message: text }),
      stableText(text),
      stableValue(text),
      toSubject({ ...finding, message: text } as never),
    ]
  }

  test.each([
    ' ',
    '\n',
    '.',
    '"',
    'a',
    'a ',
    'a: ',
    '1.',
    '1,',
    ':1.1',
    '/',
    '-',
    ',',
    '[',
    'gke-a',
    'ports 1, ',
    '::',
    '1s',
  ])('%j', (part) => {
    expect(growthOf({ run, input: within(part), most: 1990 })).toBeLessThan(3)
  })
})

describe('the time for the name of a subject grows with its length, not with its square', () => {
  test.each(['/', './', '@', ':', '-1', 'library/'])('of %j', (part) => {
    const run = (name: string) => [folderSubject(name), imageSubject(name, {}), benchmarkSubject(name, '')]
    expect(growthOf({ run, input: within(part), most: 100_000 })).toBeLessThan(3)
  })
})
