import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, test } from 'vitest'

test('both commands of the README pass on the machine of a stranger', { timeout: 3 * 3_600_000 }, async () => {
  const program = fileURLToPath(new URL('../../.ci/stranger', import.meta.url))
  const { exitCode, all = '' } = await execa(program, { all: true, reject: false })
  expect({ exitCode, end: all.slice(-20_000) }).toMatchObject({ exitCode: 0 })
})
