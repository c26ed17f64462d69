const headerSize = 64
const loaded = 1
const sectionSize = 64
const isAllocated = 2n
/** Types of section whose `sh_info` is the number of a section. */
const relocations = [4, 9]

/**
 * An ELF file of 64 bits without its symbols and debugging data, as `strip` makes it: the same on each machine, and for
 * each processor. Throws for another file. Format: https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html
 */
export function stripElf(file: Buffer): Buffer {
  if (!file.subarray(0, 6).equals(Buffer.from('7f454c460201', 'hex'))) {
    throw new Error('not an ELF file of 64 bits, little-endian')
  }
  const end = endOfLoaded(file)
  const { sections, names } = sectionsOf(file)
  const kept = renumber(sections, (section) => (section.readBigUInt64LE(8) & isAllocated) !== 0n)
  const nameSection = Buffer.from(names)
  nameSection.writeBigUInt64LE(BigInt(end), 24)
  const nameTexts = file.subarray(Number(names.readBigUInt64LE(24)), Number(names.readBigUInt64LE(24) + sizeOf(names)))
  const table = Math.ceil((end + nameTexts.length) / 8) * 8
  const header = Buffer.from(file.subarray(0, headerSize))
  header.writeBigUInt64LE(BigInt(table), 40)
  header.writeUInt16LE(kept.length + 1, 60)
  header.writeUInt16LE(kept.length, 62)
  const gap = Buffer.alloc(table - end - nameTexts.length)
  return Buffer.concat([header, file.subarray(headerSize, end), nameTexts, gap, ...kept, nameSection])
}

/** Copies of the sections to keep, the first (null) among them. They refer to each other by their new numbers. */
function renumber(sections: Buffer[], isKept: (section: Buffer) => boolean): Buffer[] {
  const kept = sections.filter((section, index) => index === 0 || isKept(section))
  const numbers = new Map(kept.map((section, number) => [sections.indexOf(section), number]))
  return kept.map((section) => {
    const copy = Buffer.from(section)
    copy.writeUInt32LE(numbers.get(section.readUInt32LE(40)) ?? 0, 40)
    if (relocations.includes(section.readUInt32LE(4))) {
      copy.writeUInt32LE(numbers.get(section.readUInt32LE(44)) ?? 0, 44)
    }
    return copy
  })
}

const sizeOf = (section: Buffer): bigint => section.readBigUInt64LE(32)

/** Where the last segment that is loaded ends in the file. */
function endOfLoaded(file: Buffer): number {
  const start = Number(file.readBigUInt64LE(32))
  const ends = Array.from({ length: file.readUInt16LE(56) }, (_, index) => {
    const segment = file.subarray(start + index * 56)
    return segment.readUInt32LE(0) === loaded ? segment.readBigUInt64LE(8) + segment.readBigUInt64LE(32) : 0n
  })
  return Number(ends.reduce((most, each) => (each > most ? each : most), 0n))
}

function sectionsOf(file: Buffer): { sections: Buffer[]; names: Buffer } {
  const start = Number(file.readBigUInt64LE(40))
  const sections = Array.from({ length: file.readUInt16LE(60) }, (_, index) =>
    file.subarray(start + index * sectionSize, start + (index + 1) * sectionSize),
  )
  return { sections, names: sections[file.readUInt16LE(62)]! }
}
