/** What a parameter takes and what it does not. */
export interface Values {
  ok: unknown[]
  bad: unknown[]
  /** Of the right kind, but the ids of nothing: 404. */
  unknown?: unknown[]
  /** Counts as not given. */
  absent?: unknown[]
  required?: true
  /** Values that a query cannot say, but a caller in this process can. */
  inside?: { ok: unknown[]; bad: unknown[] }
}

const prototypeNames = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']
const controls = ['a\nb', 'a\u0000b', 'a\u001b[31mb', 'a\u007fb', 'a\u0085b']
/** Values of each kind of JSON, to be refused where another is wanted. */
const kinds = { text: 'x', number: 5, boolean: true, null: null, list: ['x'], object: { x: 1 } }
export const otherThan = (...wanted: (keyof typeof kinds)[]): unknown[] =>
  Object.entries(kinds).flatMap(([kind, value]) => (wanted.includes(kind as never) ? [] : [value]))

export const required = (values: Values): Values => ({ ...values, required: true })

export const orNull = ({ ok, bad, ...more }: Values): Values => ({
  ...more,
  ok: [...ok, null],
  bad: bad.filter((value) => value !== null),
})

/** In a query. */
export const time: Values = {
  ok: ['2026-08-30 00:00:00', '2026-08-30T00:00:00Z', '2026-08-30T02:00:00+02:00', '2026-08-30', ''],
  bad: [
    ' ',
    ...['yesterday', '2026-02-30', '2026-13-01', '2026-08-30T25:00:00Z', '30.08.2026', '1756512000', 'x'.repeat(65)],
    ...prototypeNames,
    ...otherThan('text'),
  ],
}

export const inQuery = {
  /** As text in any transport. */
  time: { ok: time.ok, bad: [...time.bad.filter((value) => typeof value === 'string'), ['x', 'x']] } satisfies Values,
  whole: (min: number, max: number): Values => ({
    ok: [String(min), String(max), `0${min}`],
    bad: [
      ...[min - 1, max + 1, -max, 1.5].map(String),
      ...['', ' ', 'ten', ' 1', '1 ', '+1', '1e1', '0x1', '1,2', '9'.repeat(16), 'Infinity', 'NaN', 'null', 'true'],
      ...prototypeNames,
      [String(min), String(min)],
    ],
    inside: { ok: [min, max], bad: [min - 1, max + 1, 1.5, null, true, Number.NaN, Number.POSITIVE_INFINITY, {}, []] },
  }),
  flag: {
    ok: ['true', 'false', '1', '0'],
    bad: ['', ' ', 'yes', 'no', 'TRUE', 'True', 'true ', '2', '-1', 'null', ...prototypeNames, ['true', 'true']],
    inside: { ok: [true, false], bad: [1, 0, null, {}, []] },
  } as Values,
  words: (max: number): Values => {
    const { ok, bad, ...more } = inQuery.line(max)
    const isBlank = (value: unknown) => String(value).trim() === ''
    return { ...more, ok: ok.filter((value) => !isBlank(value)), bad: [...bad, ...ok.filter(isBlank)] }
  },
  line: (max: number): Values => ({
    ok: ['', ' ', 'x', 'x'.repeat(max), ` ${'x'.repeat(max - 2)} `, '😀'.repeat(max / 2), '%_\'"\\', ...prototypeNames],
    bad: ['x'.repeat(max + 1), 'x'.repeat(10_000), ...controls, ['x', 'x']],
    inside: { ok: [], bad: otherThan('text') },
  }),
  /** The id of a run, which is no line of any words. */
  runId: {
    ok: [''],
    unknown: ['crun_', `crun_${'x'.repeat(64)}`, 'x', '1', "' or 1=1 --", ...prototypeNames],
    bad: ['x'.repeat(101), ...controls, ['crun_x', 'crun_x']],
    inside: { ok: [], bad: otherThan('text') },
  } as Values,
  choice: (...values: string[]): Values => ({
    ok: values,
    bad: ['', ' ', 'other', values[0]!.toUpperCase(), `${values[0]} `, values.join(','), ...prototypeNames, values],
    inside: { ok: [], bad: otherThan('text') },
  }),
}

export const boolean: Values = { ok: [true, false], bad: ['true', '', 1, 0, ...otherThan('boolean')] }

export const id: Values = {
  ok: [],
  bad: ['1', '', 1.5, 2 ** 53, 1e300, -(2 ** 53), ...otherThan('number')],
  unknown: [0, -1, 999_999_999, Number.MAX_SAFE_INTEGER],
}

/** One line; empty is absent. */
export const line = (max: number): Values => ({
  ok: ['', ' ', 'x', 'x'.repeat(max), ` ${'x'.repeat(max - 2)} `, '😀'.repeat(max), ...prototypeNames],
  bad: ['x'.repeat(max + 1), '😀'.repeat(max + 1), ...controls, ...otherThan('text')],
})

/** One line that says something. */
export const words = (max: number): Values => {
  const { ok, bad } = line(max)
  return { ok: ok.filter((value) => String(value).trim() !== ''), bad: ['', ' ', '\t', ...bad] }
}

/** A text of any form. */
export const text = (max: number): Values => ({
  ok: ['', 'x', 'two\nlines', 'x'.repeat(max), ...prototypeNames],
  bad: ['x'.repeat(max + 1), ...otherThan('text')],
})

/** A whole number in a body. */
export const integer = (min: number, max: number): Values => ({
  ok: [min, max],
  bad: [min - 1, max + 1, min + 0.5, '5', '', ...otherThan('number')],
})

/** Text that can be an argument, an environment variable and YAML. */
export const argument = (max: number): Values => {
  const { ok, bad } = text(max)
  return { ok, bad: [...bad, 'a\u0000b', '\ud800'] }
}

/** The name of an environment variable that holds a credential. */
export const variable: Values = {
  ok: ['', 'TOKEN', '_a1', 'x'.repeat(200)],
  bad: ['1A', 'A-B', 'two words', 'A=b', '$A', 'PATH', 'KUBECONFIG', 'x'.repeat(201), ...otherThan('text')],
}

export const choice = (...values: string[]): Values => ({
  ok: values,
  bad: ['', ' ', 'other', values[0]!.toUpperCase(), `${values[0]} `, ...prototypeNames, ...otherThan('text')],
})

export const number = (min: number, max: number): Values => ({
  ok: [min, min + 0.5, max],
  bad: [min - 1, min - 0.001, max + 1, max + 0.5, '5', '', ...otherThan('number')],
})

export const colour: Values = {
  ok: ['#000000', '#ffFFff', '#1f6feb'],
  bad: ['', '#', '#fff', '#1f6fe', '#1f6feb0', '#1f6feg', '1f6feb', ' #1f6feb', '#1f6feb\n', ...otherThan('text')],
}

export const releaseTypes: Values = {
  ok: ['app', 'helm', 'pre', 'app,helm', 'pre,helm,app', 'app, helm', `${'app,helm,pre'.padEnd(50)}`],
  bad: [
    ...['', ',', 'app,', 'app,app', 'other', 'app,other', 'APP', 'app;helm', 'app,helm,pre'.padEnd(51)],
    ...prototypeNames,
    ...otherThan('text'),
  ],
}

const long = (start: string, length: number) => start.padEnd(length, 'x')

/** Where a webhook goes. */
export const webhook: Values = {
  ok: ['', 'https://hooks.example/T0/B0', 'https://mattermost:8065/hooks/x', long('https://x.example/', 2000)],
  bad: [
    ...[
      'x',
      ' ',
      'hooks.example',
      'https://',
      '//hooks.example/',
      'http://hooks.example/',
      'http://127.0.0.1.example/',
    ],
    ...[
      'ftp://hooks.example/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:,x',
      'https://a b/',
      'https://x:99999/',
    ],
    ...['https://hooks.example/a b', ' https://hooks.example/', 'https://hooks.example/\n', 'https://x.example/\u0000'],
    ...[
      'http://localhost:8080/x',
      'https://localhost/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://169.254.169.254/',
    ],
    ...['https://10.0.0.1/', 'https://0x7f.1/', 'https://ada:secret@hooks.example/'],
    long('https://x.example/', 2001),
    ...otherThan('text'),
  ],
}

/** The id of an advisory. */
export const advisory: Values = {
  ok: ['CVE-2026-1000', 'cve-1999-0001', 'CVE-2026-1234567', ' GHSA-qppj-fm5r-hxr3 '],
  bad: [
    '',
    ' ',
    'x',
    'CVE-2026',
    'CVE-2026-0000',
    'CVE-2026-12345678',
    'CVE-2026-1000, CVE-2026-1001',
    'GHSA-1111-1111-1111',
    ...otherThan('text'),
  ],
}

/** A web address for people to open. */
export const address: Values = {
  ok: ['', 'http://x.example', 'https://x.example/a?b=c#d', long('https://x.example/', 2000)],
  bad: [
    ...['x', ' ', 'https://', 'ftp://x.example', 'javascript:alert(1)', 'https://a b', 'https://x.example/\n'],
    ...['https://u:p@x.example', 'https://x.example/?token=x'],
    ...['https://x.example/\u001b[31m', 'https://[', long('https://x.example/', 2001)],
    ...otherThan('text'),
  ],
}

/** `item` makes one that is right; what is wrong with items is told by rows of their own. */
export const list = (max: number, item: unknown): Values => {
  const make = (length: number) =>
    Array.from({ length }, (_, index) => (typeof item === 'function' ? item(index) : item))
  return { ok: [[], make(1), make(max)], bad: [make(max + 1), {}, { length: 0 }, '', ...otherThan('list', 'object')] }
}

export const object: Values = { ok: [{}], bad: [[], '', ...otherThan('object')] }
