import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import { pipeline } from 'node:stream/promises'
import { ReltError } from '../../../errors.ts'
import { unreadable } from '../../../util/file-error.ts'
import { readOwnFile } from '../../../util/own-file.ts'
import type { Line } from './line.ts'

const check = 'release'
const maxBytes = 1024 * 1024
const hint = 'Do not use it. Download it again.'

/**
 * Compares this executable, and listed files next to it, with the `SHA256SUMS` of a release. Throws `usage` if the file is
 * not such a list.
 */
export async function checkReleaseFiles(
  file: string,
  program = isSea() ? process.execPath : undefined,
): Promise<Line[]> {
  const sums = readSums(file)
  const beside = [...sums.keys()].filter((name) => existsSync(join(dirname(file), name)))
  const lines = program === undefined ? [] : [await compareProgram(program, sums)]
  for (const name of beside) {
    const found = await toSha256(join(dirname(file), name))
    if (found === sums.get(name)) lines.push({ check, state: 'ok', found: `${name} has its checksum` })
    else lines.push({ check, state: 'fail', found: `${name} has the SHA-256 ${found}, not ${sums.get(name)}`, hint })
  }
  if (lines.length > 0) return lines
  return [
    {
      ...{ check, state: 'fail', found: `none of the files that ${file} lists is beside it` },
      hint: 'Put the downloaded file into the folder of the list.',
    },
  ]
}

async function compareProgram(program: string, sums: Map<string, string>): Promise<Line> {
  const found = await toSha256(program)
  const [name] = [...sums].find(([, sum]) => sum === found) ?? []
  if (name !== undefined) return { check, state: 'ok', found: `${program} is ${name}` }
  return { check, state: 'fail', found: `${program} has the SHA-256 ${found}, which the list does not have`, hint }
}

/** Parses the format of `sha256sum`: name → checksum. Rejects names with a folder. */
function readSums(file: string): Map<string, string> {
  const lines = toText(file).split(/\r?\n/).filter(Boolean)
  const sums = lines.map((line): [string, string] => {
    const [, sum = '', name = ''] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? []
    if (name && !name.startsWith('/') && !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(name)) return [name, sum]
    throw new ReltError('usage', `${file} is no list of checksums.`, { hint: 'Name the SHA256SUMS of a release.' })
  })
  return new Map(sums)
}

function toText(file: string): string {
  try {
    return readOwnFile(file, maxBytes).toString()
  } catch (cause) {
    throw unreadable(file, cause)
  }
}

async function toSha256(file: string): Promise<string> {
  const sha256 = createHash('sha256')
  await pipeline(createReadStream(file), sha256)
  return sha256.digest('hex')
}
