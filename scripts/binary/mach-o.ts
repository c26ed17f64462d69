/** Format: https://github.com/apple-oss-distributions/xnu, EXTERNAL_HEADERS/mach-o/loader.h */
export const headerSize = 32
/** Of Apple silicon; a multiple of that of other machines. */
export const memoryPage = 0x4000
export const kinds = { symbols: 0x2, dynamic: 0xb, segment: 0x19, signature: 0x1d } as const

/** The load commands, each a view into the file. Throws for another file. */
export function toCommands(file: Buffer): Buffer[] {
  if (file.length < headerSize || file.readUInt32LE(0) !== 0xfeedfacf) throw new Error('not a Mach-O file of 64 bits')
  let at = headerSize
  return Array.from({ length: file.readUInt32LE(16) }, () => {
    const view = file.subarray(at, at + file.readUInt32LE(at + 4))
    at += view.length
    return view
  })
}

export const ofKind = (kind: keyof typeof kinds) => (command: Buffer) => command.readUInt32LE(0) === kinds[kind]

/** Throws if there is none. */
export function segmentNamed(file: Buffer, name: string): Buffer {
  const isNamed = (command: Buffer) => command.toString('latin1', 8, 24).replace(/\0+$/, '') === name
  const found = toCommands(file).filter(ofKind('segment')).find(isNamed)
  if (!found) throw new Error(`the Mach-O file has no ${name}`)
  return found
}

/** Sets the size of the last segment, by where the file ends. */
export function setEnd(file: Buffer, end: number): void {
  const link = segmentNamed(file, '__LINKEDIT')
  const size = end - Number(link.readBigUInt64LE(40))
  link.writeBigUInt64LE(BigInt(Math.ceil(size / memoryPage) * memoryPage), 32)
  link.writeBigUInt64LE(BigInt(size), 48)
}

/** A copy with other load commands. Throws if there is no space for them. */
export function withCommands(file: Buffer, commands: Buffer[]): Buffer {
  const output = Buffer.from(file)
  const data = Buffer.concat(commands)
  const before = headerSize + file.readUInt32LE(20)
  if (file.subarray(before, headerSize + data.length).some((byte) => byte !== 0)) {
    throw new Error('the Mach-O file has no space for another command')
  }
  output.fill(0, headerSize, before)
  data.copy(output, headerSize)
  output.writeUInt32LE(commands.length, 16)
  output.writeUInt32LE(data.length, 20)
  return output
}
