import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packChunks } from '../scripts/pack-chunks.ts'

test('small chunks are in one file, and load each other and the large ones as before', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relt-chunks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'chunks'))
  const write = (name: string, code: string) => writeFileSync(join(folder, name), `"use strict";${code}`)
  const filler = `/*${'x'.repeat(4000)}*/`
  write('main.cjs', 'module.exports=require("./chunks/first.cjs")')
  write(
    'chunks/first.cjs',
    `${filler};module.exports=[require("./small.cjs"),require("./other.cjs"),require("./small.cjs")]`,
  )
  write('chunks/small.cjs', 'exports.runs=(exports.runs??0)+1;exports.other=require("./other.cjs").name')
  write(
    'chunks/other.cjs',
    'exports.name="other";exports.runsThen=require("./small.cjs").runs;exports.large=require("./large.cjs")',
  )
  write('chunks/large.cjs', `${filler};module.exports=require("./small.cjs").runs+require("node:path").sep`)
  write('chunks/placed.cjs', 'module.exports=__filename')
  packChunks(folder)
  expect(readdirSync(join(folder, 'chunks')).sort()).toEqual(['first.cjs', 'large.cjs', 'packed.cjs', 'placed.cjs'])
  const small = { runs: 1, other: 'other' }
  const other = { name: 'other', runsThen: 1, large: `1${sep}` }
  expect(createRequire(import.meta.url)(join(folder, 'main.cjs'))).toEqual([small, other, small])
})
