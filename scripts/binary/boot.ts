/**
 * What the executable runs first. Node reads it whole at every start, so it is small: the program itself, with the machine
 * code of its common commands, is an asset that is read when it is needed.
 */
import { getRawAsset } from 'node:sea'
import { Script } from 'node:vm'
import { printVersionOrHelp } from '../../src/version-and-help.ts'

if (!printVersionOrHelp(process.argv.slice(2))) {
  const asset = (name: string) => Buffer.from(getRawAsset(name) as ArrayBuffer)
  // The build sees to it that it is all ASCII, so nobody has to find that out at every start.
  const program = new Script(asset('main.cjs').toString('latin1'), {
    filename: 'relt.cjs',
    cachedData: asset('main.cache'),
  })
  program.runInThisContext()({}, {}, require)
}
