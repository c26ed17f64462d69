import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createColor } from '../../src/render/terminal/color.ts'
import { dataColumns, drawColumns } from '../../src/render/terminal/draw.ts'
import { renderTable } from '../../src/render/terminal/table.ts'
import type { ShownFinding } from '../../src/views/finding.ts'
import { findingTables } from '../../src/views/finding-tables.ts'
import { toldApart } from '../../src/views/told-apart.ts'

const few = (...texts: (string | null)[]) => fc.constantFrom(...texts)

/** Different findings that share most of their words. */
const findings = fc
  .array(
    fc.record({
      ...{ check_id: few('SEC001', 'RBAC002'), severity: fc.constantFrom('critical' as const, 'low' as const) },
      ...{ namespace: few('shop', null), resource: few('pod/a', 'pod/b', null), message: few('is wrong', 'is old') },
      value: few('User/ada', 'User/grace', '', null),
    }),
    { minLength: 2, maxLength: 12 },
  )
  .map((rows) =>
    rows.map((row, i): ShownFinding => ({ ...row, fingerprint: `${i}`.padStart(4, '0').repeat(16), change: 'new' })),
  )

const io = { isTerminal: false, width: 100_000, color: createColor(false), link: String } as never

test.each(['changes', 'changeData', 'pageOfChanges', 'list', 'page'] as const)(
  'two different findings never read the same: %s',
  (name) => {
    const table = findingTables[name].filter(({ key }) => key !== 'id')
    fc.assert(
      fc.property(findings, (rows) => {
        const told = toldApart(rows)
        const cells = dataColumns(table).map(({ value }) => told.map((row) => value(row)))
        const lines = told.map((_, i) => JSON.stringify(cells.map((column) => column[i])))
        expect(new Set(lines).size).toBe(rows.length)
        const drawn = renderTable(io, drawColumns(io, table), told).trimEnd().split('\n').slice(-rows.length)
        expect(new Set(drawn).size).toBe(rows.length)
      }),
    )
  },
)

test('only findings in equal words get more words', () => {
  const one = { check_id: 'A', severity: 'low', namespace: null, resource: 'x', message: 'm', value: 'v' } as const
  const [alone] = toldApart<ShownFinding>([{ ...one, fingerprint: 'f' }])
  expect(alone).not.toHaveProperty('apart')
  const pair = toldApart<ShownFinding>([
    { ...one, fingerprint: 'aaaaaaaaaaaaaaaa' },
    { ...one, fingerprint: 'bbbbbbbbbbbbbbbb' },
  ])
  expect(pair.map(({ apart }) => apart)).toEqual(['v, aaaaaaaaaaaa', 'v, bbbbbbbbbbbb'])
})
