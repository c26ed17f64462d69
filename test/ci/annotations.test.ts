import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderAnnotations } from '../../src/ci/annotations.ts'
import { withoutCommands } from '../../src/ci/workflow-commands.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { hostile, reportWith } from './results.ts'

/** As GitHub's runner reads a line. */
function toCommand(line: string) {
  const [, command, title, data] = /^::(\w+) title=([^:,]*)::(.*)$/.exec(line)!
  const plain = (text: string) => text.replace(/%0D|%0A|%3A|%2C|%25/g, decodeURIComponent)
  return { command, title: plain(title!), message: plain(data!) }
}

const toCommands = (message: string) =>
  renderAnnotations(reportWith(message).result)
    .split('\n')
    .filter((line) => line !== '')
    .map(toCommand)

const about = (message: string) =>
  `${message} (${message}), run crun_a of kubebuddy, scanned 2026-09-01 12:00:00, just now`

test('a failed rule is an error with its evidence; an undecided one, or one that passed by a line, a warning', () => {
  expect(toCommands('50%: a, b')).toEqual([
    {
      command: 'error',
      title: 'Gate: new>=high',
      message: `1 new finding at or above high; 0 allowed\n50%: a, b 50%: a, b 50%: a, b: 50%: a, b\n${about('50%: a, b')}`,
    },
    { command: 'warning', title: 'Gate: score<80', message: `The run has no score\n${about('50%: a, b')}` },
    {
      command: 'warning',
      title: 'Gate: regressed>=low',
      message: `0 regressed findings at or above low; 0 allowed\nNot known, and accepted by relt.yaml:2: Not read: 1 failed (50%: a, b)\n${about('50%: a, b')}`,
    },
  ])
})

test('foreign text adds no command', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: anyCharacter }),
    fc.constant(hostile),
    fc.constant('%0A::error::x'),
  )
  fc.assert(
    fc.property(text, (message) => {
      expect(toCommands(message).map(({ command }) => command)).toEqual(['error', 'warning', 'warning'])
    }),
  )
})

test.each([
  ['::error::x', '\\u003a:error::x'],
  ['a\n  ::stop-commands::x', 'a\n  \\u003a:stop-commands::x'],
  ['a ##vso[task.setvariable]x', 'a \\u0023#vso[task.setvariable]x'],
  ['##[error]x', '\\u0023#[error]x'],
  ['###[x]', '#\\u0023#[x]'],
  ['a::b c##d', 'a::b c##d'],
  ['\u0085::error::x', '\u0085\\u003a:error::x'],
  ["##teamcity[setParameter name='a']", "\\u0023#teamcity[setParameter name='a']"],
  ['name\tnote\n::set-env name=PATH::/tmp', 'name\tnote\n\\u003a:set-env name=PATH::/tmp'],
  ['name,note\n"a\n::stop-commands::x",b', 'name,note\n"a\n\\u003a:stop-commands::x",b'],
])('of output, %j leaves %j', (text, left) => {
  expect(withoutCommands(text)).toBe(left)
})

test('JSON without commands is the same document', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('##vso[x]', '::error::', '##[y]'), (value, command) => {
      const document = { value, command, [command]: 1 }
      const text = withoutCommands(JSON.stringify(document))
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(document)))
      expect(text).not.toMatch(/##(vso|teamcity)?\[/i)
    }),
  )
})
