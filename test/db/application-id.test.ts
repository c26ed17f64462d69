import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { applicationId } from '../../src/db/application-id.ts'
import { statementsSince } from '../../src/db/migrations.ts'

const hex = (id: number) => `0x${id.toString(16).padStart(8, '0')}`

test('the schema is the one that the application id names: else src/db/application-id.ts takes the new one', async () => {
  const hash = createHash('sha256')
  for (const database of ['sqlite', 'postgres'] as const) {
    // Tables come in the order of a module's exports, which is another one here than in Node.
    for (const statement of [...(await statementsSince(0, database))].sort()) hash.update(`${statement};\n`)
  }
  expect(hex(applicationId)).toBe(hex(hash.digest().readUInt32BE() & 0x7fff_ffff))
})
