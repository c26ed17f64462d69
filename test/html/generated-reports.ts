import * as fc from 'fast-check'
import { anyCharacter } from '../helpers/any-character.ts'
import { hostileTexts } from './hostile.ts'
import { toReport } from './reports.ts'

const scripts = [
  ...[
    'window.owned=1',
    'alert(1)',
    'console.log(1)',
    'fetch("https://evil.example/")',
    'location="https://evil.example/"',
  ],
]
const tags = [
  'img',
  'svg',
  'iframe',
  'object',
  'embed',
  'link',
  'meta',
  'base',
  'style',
  'form',
  'input',
  'video',
  'math',
]
const events = ['onerror', 'onload', 'onclick', 'onmouseover', 'onfocus autofocus', 'ontoggle', 'onanimationstart']

/** Pieces that end a place of HTML, open another one, or turn the text around them. */
const pieces = fc.oneof(
  fc.constantFrom(
    '"',
    "'",
    '`',
    '>',
    '<',
    '/>',
    '</',
    '--!>',
    '-->',
    '<!--',
    ']]>',
    '&',
    ';',
    '=',
    '\\',
    '\n',
    '\u2028',
  ),
  fc.constantFrom(
    '</script>',
    '</style>',
    '</title>',
    '</textarea>',
    '</td></table>',
    '</details>',
    '</svg>',
    '<plaintext>',
  ),
  fc.constantFrom(
    '&lt;',
    '&#60;',
    '&#x3c;script&#x3e;',
    '&quot;',
    '&Tab;',
    '&NewLine;',
    '&#0;',
    '\ufeff',
    '\u0000',
    '\ufffe',
  ),
  fc.constantFrom(
    '\u202e',
    '\u2066',
    '\u2067',
    '\u202b',
    '\u200f',
    '\u061c',
    '\u05d0',
    '\u0644',
    '\u200d',
    '\u0336',
    '\u{1f469}',
  ),
  fc.constantFrom(
    'javascript:',
    'JaVaScRiPt\t:',
    'data:text/html,',
    'vbscript:',
    '//evil.example/',
    'https://evil.example/',
  ),
  fc.constantFrom(
    'expression(',
    'url(https://evil.example/x)',
    '@import "https://evil.example/";',
    '}*{color:red}',
    '{{7*7}}',
  ),
  fc.constantFrom(...scripts),
  fc
    .tuple(fc.constantFrom(...tags), fc.constantFrom(...events), fc.constantFrom(...scripts))
    .map(([tag, event, run]) => `<${tag} src=x href=javascript:${run} style=background:url(x) ${event}='${run}'>`),
  fc.constantFrom(...scripts).map((run) => `<script>${run}</script>`),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('\ud800', '\udc00', 'x', '\u200b', ' '), maxLength: 10 }),
)

const word = fc.oneof(
  { weight: 30, arbitrary: fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')) },
  { weight: 5, arbitrary: fc.constantFrom(...hostileTexts.filter(({ length }) => length < 10_000)) },
  {
    weight: 1,
    arbitrary: fc.tuple(pieces, fc.integer({ min: 1000, max: 40_000 })).map(([part, times]) => part.repeat(times)),
  },
)

/** A word without a place to break it, of a megabyte. */
const longWords = ['x', 'W\u0336', '\u202ea', '<b>', '&'].map((part) => part.repeat(Math.ceil(1_000_000 / part.length)))

/** Reports whose every text is made to break its page; one of a hundred has words of a megabyte. */
export const hostileReport = fc
  .record({ words: fc.array(word, { minLength: 3, maxLength: 12 }), long: fc.integer({ min: 0, max: 99 }) })
  .map(({ words, long }) => {
    const texts = long === 0 ? [...words, ...longWords] : words
    let next = 0
    return toReport(() => texts[next++ % texts.length]!)
  })
