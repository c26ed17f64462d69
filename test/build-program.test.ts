import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildProgram } from '../scripts/build-program.ts'

test('chunks export names as live as ES modules do, each by one getter', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'relt-program-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'src'))
  const write = (name: string, code: string) => writeFileSync(join(folder, 'src', name), code)
  write('shared.ts', 'export let count = 0; export const raise = () => ++count; export default "by default"')
  write('again.ts', 'export { count as total } from "./shared.ts"')
  write('first.ts', 'import * as shared from "./shared.ts"; export const first = () => [shared.raise(), shared.count]')
  write('second.ts', 'import named, { count } from "./shared.ts"; export const second = () => [count, named]')
  write(
    'main.ts',
    `const all = async () => {
      const [{ first }, { second }, shared, again] = await Promise.all([
        import("./first.ts"), import("./second.ts"), import("./shared.ts"), import("./again.ts")])
      const [before, raised, after] = [second(), first(), second()]
      const { basename } = await import("node:path")
      return { before, raised, after, default: shared.default, total: again.total, name: basename("a/b") }
    }
    globalThis.program = all()`,
  )
  const outdir = join(folder, 'out')
  await buildProgram({ outdir, plugins: [], entryPoints: { main: join(folder, 'src/main.ts') } })
  createRequire(import.meta.url)(join(outdir, 'main.cjs'))
  const { program } = globalThis as unknown as { program: Promise<unknown> }
  expect(await program).toEqual({
    before: [0, 'by default'],
    raised: [1, 1],
    after: [1, 'by default'],
    default: 'by default',
    total: 1,
    name: 'b',
  })
  const chunks = readdirSync(join(outdir, 'chunks')).map((name) => readFileSync(join(outdir, 'chunks', name), 'utf8'))
  expect(chunks.filter((code) => code.includes('module.exports={get '))).toHaveLength(chunks.length)
  expect(chunks.join('')).not.toMatch(/getOwnPropertyNames|__esModule/)
})
