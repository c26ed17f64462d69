const loaded = 1
const segmentSize = 56
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
  const parts = loadedParts(file)
  const end = parts.at(-1)!.to + parts.at(-1)!.size
  const { sections, names } = toSections(file)
  const kept = renumber(sections, (section) => (section.readBigUInt64LE(8) & isAllocated) !== 0n)
  for (const section of kept) move(section, 24, parts)
  const nameSection = Buffer.from(names)
  nameSection.writeBigUInt64LE(BigInt(end), 24)
  const nameTexts = file.subarray(Number(names.readBigUInt64LE(24)), Number(names.readBigUInt64LE(24) + toSize(names)))
  const table = Math.ceil((end + nameTexts.length) / 8) * 8
  const output = Buffer.alloc(table)
  for (const { from, to, size } of parts) file.copy(output, to, from, from + size)
  nameTexts.copy(output, end)
  output.writeBigUInt64LE(BigInt(table), 40)
  output.writeUInt16LE(kept.length + 1, 60)
  output.writeUInt16LE(kept.length, 62)
  move(output, 32, parts)
  for (const segment of toSegments(output)) move(segment, 8, parts)
  return Buffer.concat([output, ...kept, nameSection])
}

/** Bytes of the file that are loaded, and where they are to be in the new one. */
interface Part {
  from: number
  to: number
  size: number
}

/** Without what is between them: patchelf adds a segment behind the debugging data. */
function loadedParts(file: Buffer): Part[] {
  const segments = toSegments(file)
    .filter((segment) => segment.readUInt32LE(0) === loaded)
    .map((segment) => [8, 32, 48].map((at) => Number(segment.readBigUInt64LE(at))) as [number, number, number])
    .sort(([a], [b]) => a - b)
  const parts: Part[] = []
  let end = 0
  for (const [from, size, alignment] of segments) {
    // An address and its place in the file have the same offset in a page.
    const page = Math.max(alignment, 1)
    const to = end + ((((from - end) % page) + page) % page)
    parts.push({ from, to, size })
    end = to + size
  }
  if (parts[0]?.from !== 0) throw new Error('the headers of the ELF file are not loaded')
  return parts
}

/** Writes the new place of what an entry of a table points to. */
function move(entry: Buffer, at: number, parts: Part[]): void {
  const place = Number(entry.readBigUInt64LE(at))
  const part = parts.findLast(({ from }) => from <= place)
  if (part) entry.writeBigUInt64LE(BigInt(place - part.from + part.to), at)
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

const toSize = (section: Buffer): bigint => section.readBigUInt64LE(32)

/** The parts of the program header table, each a view into the file. */
function toSegments(file: Buffer): Buffer[] {
  const start = Number(file.readBigUInt64LE(32))
  return Array.from({ length: file.readUInt16LE(56) }, (_, index) =>
    file.subarray(start + index * segmentSize, start + (index + 1) * segmentSize),
  )
}

function toSections(file: Buffer): { sections: Buffer[]; names: Buffer } {
  const start = Number(file.readBigUInt64LE(40))
  const sections = Array.from({ length: file.readUInt16LE(60) }, (_, index) =>
    file.subarray(start + index * sectionSize, start + (index + 1) * sectionSize),
  )
  return { sections, names: sections[file.readUInt16LE(62)]! }
}
