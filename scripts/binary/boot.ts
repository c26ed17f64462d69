/**
 * What the executable runs first. Node reads it whole at every start, so it is small: the program itself, with the machine
 * code of its common commands, is an asset that is read when it is needed.
 */
import { getAsset, getRawAsset } from 'node:sea'
import { constants, Script } from 'node:vm'
import { giveKnownAnswer } from '../../src/known-answer.ts'

if (!giveKnownAnswer(process.argv.slice(2))) {
  const program = new Script(getAsset('main.cjs', 'utf8'), {
    filename: 'relt.cjs',
    cachedData: Buffer.from(getRawAsset('main.cache') as ArrayBuffer),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  program.runInThisContext()({}, {}, require)
}
