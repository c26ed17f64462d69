import { ofKind, setEnd, toCommands, withCommands } from './mach-o.ts'

const symbolSize = 16
/** Bits of an entry that is no number of a symbol. */
const noSymbol = 0xc0000000

/**
 * A Mach-O file without its local symbols, as `strip -x` makes it, and without its signature: the same on each machine.
 * Throws for another file.
 */
export function stripMachO(file: Buffer): Buffer {
  const isSignature = ofKind('signature')
  const output = withCommands(
    file,
    toCommands(file).filter((command) => !isSignature(command)),
  )
  const symbols = toCommands(output).find(ofKind('symbols'))
  const dynamic = toCommands(output).find(ofKind('dynamic'))
  if (!symbols || !dynamic) throw new Error('the Mach-O file has no symbols')
  const [start, local] = [symbols.readUInt32LE(8), dynamic.readUInt32LE(12)]
  const [indirect, texts] = [dynamic.readUInt32LE(56), symbols.readUInt32LE(16)]
  if (dynamic.readUInt32LE(8) !== 0 || start > indirect || indirect > texts) throw new Error('unknown order of symbols')
  const kept = keptSymbols(output, symbols, local)
  const numbers = renumber(output.subarray(indirect, indirect + dynamic.readUInt32LE(60) * 4), local)
  // The symbols that are defined for others are the first now, then come those that are not defined.
  dynamic.writeUInt32LE(0, 12)
  for (const at of [16, 24]) dynamic.writeUInt32LE(dynamic.readUInt32LE(at) - local, at)
  dynamic.writeUInt32LE(start + kept.entries.length, 56)
  symbols.writeUInt32LE(kept.entries.length / symbolSize, 12)
  symbols.writeUInt32LE(start + kept.entries.length + numbers.length, 16)
  symbols.writeUInt32LE(kept.texts.length, 20)
  const stripped = Buffer.concat([output.subarray(0, start), kept.entries, numbers, kept.texts])
  setEnd(stripped, stripped.length)
  return stripped
}

/** The symbols that other files see or have, with a table of their names. */
function keptSymbols(file: Buffer, symbols: Buffer, local: number): { entries: Buffer; texts: Buffer } {
  const [start, count, texts] = [8, 12, 16].map((at) => symbols.readUInt32LE(at)) as [number, number, number]
  const entries = Buffer.from(file.subarray(start + local * symbolSize, start + count * symbolSize))
  const names: Buffer[] = [Buffer.from(' \0')]
  let length = 2
  for (let at = 0; at < entries.length; at += symbolSize) {
    const from = texts + entries.readUInt32LE(at)
    const name = file.subarray(from, file.indexOf(0, from) + 1)
    entries.writeUInt32LE(length, at)
    names.push(name)
    length += name.length
  }
  return { entries, texts: Buffer.concat(names, Math.ceil(length / 8) * 8) }
}

/** The numbers of symbols when `less` local ones are gone. */
function renumber(numbers: Buffer, less: number): Buffer {
  const output = Buffer.from(numbers)
  for (let at = 0; at < output.length; at += 4) {
    const number = output.readUInt32LE(at)
    if ((number & noSymbol) !== 0) continue
    if (number < less) throw new Error('a local symbol is needed')
    output.writeUInt32LE(number - less, at)
  }
  return Buffer.concat([output], Math.ceil(output.length / 8) * 8)
}
