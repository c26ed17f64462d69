import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { deflateSync } from 'node:zlib'
import type { Asked } from './local-server.ts'

export interface FakeTag {
  tag: string
  /** ISO 8601. */
  at: string
}

const type = 'application/x-git-upload-pack-result'

export const toPacket = (content: string | Buffer) => {
  const bytes = Buffer.from(content as string)
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes])
}
const [flush, delimiter] = [Buffer.from('0000'), Buffer.from('0001')]

export interface FakeObject {
  type: 'commit' | 'tag'
  data: Buffer
}

const toSeconds = (at: string) => Date.parse(at) / 1000
const empty = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
export const idOf = ({ type, data }: FakeObject) =>
  hash('sha1', Buffer.concat([Buffer.from(`${type} ${data.length}\0`), data]))

export const commitAt = (at: string, message = 'Release'): FakeObject => ({
  type: 'commit',
  data: Buffer.from(
    `tree ${empty}\nauthor A <a@b.example> 1 +0000\ncommitter B <b@b.example> ${toSeconds(at)} +0200\n\n${message}\n`,
  ),
})

export const tagOf = (commit: FakeObject, name: string, tagger: string): FakeObject => ({
  type: 'tag',
  data: Buffer.from(`object ${idOf(commit)}\ntype commit\ntag ${name}\n${tagger}\nNotes\ncommitter X <x> 7 +0000\n`),
})

/** As `git pack-objects` writes it; an entry is an object, or the bytes of one. */
export function toPack(entries: (FakeObject | Buffer)[], count = entries.length): Buffer {
  const head = Buffer.alloc(12)
  head.write('PACK')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(count, 8)
  const parts = entries.map((entry) =>
    Buffer.isBuffer(entry) ? entry : toEntry({ commit: 1, tag: 4 }[entry.type], entry.data),
  )
  const body = Buffer.concat([head, ...parts])
  return Buffer.concat([body, Buffer.from(hash('sha1', body), 'hex')])
}

export function toEntry(type: number, data: Buffer, base = Buffer.alloc(0)): Buffer {
  const bytes = [(type << 4) | (data.length & 15)]
  for (let rest = data.length >> 4; rest > 0; rest >>= 7) {
    bytes[bytes.length - 1]! |= 128
    bytes.push(rest & 127)
  }
  return Buffer.concat([Buffer.from(bytes), base, deflateSync(data)])
}

/** The answer to `fetch`, as sideband packets. */
export function toFetched(pack: Buffer): Buffer {
  const parts = Array.from({ length: Math.ceil(pack.length / 60_000) }, (_, index) =>
    toPacket(Buffer.concat([Buffer.from([1]), pack.subarray(index * 60_000, (index + 1) * 60_000)])),
  )
  const shallow = [toPacket('shallow-info\n'), toPacket(`shallow ${empty}\n`), delimiter]
  return Buffer.concat([...shallow, toPacket('packfile\n'), toPacket('\x02Counting\n'), ...parts, flush])
}

export function toListed(refs: [name: string, id: string][]): Buffer {
  return Buffer.concat([...refs.map(([name, id]) => toPacket(`${id} refs/tags/${name}\n`)), flush])
}

export function sendGit(response: ServerResponse, body: Buffer) {
  response.writeHead(200, { 'content-type': type }).end(body)
}

/** Answers `ls-refs` and `fetch` of protocol v2. Every other tag is annotated, and its commit a day older. */
export function answerGit(tags: FakeTag[], asked: Asked, response: ServerResponse) {
  const made = tags.map(({ tag, at }, index) => {
    if (index % 2 === 0) return { tag, objects: [commitAt(at, tag)] }
    const commit = commitAt(new Date(Date.parse(at) - 86_400_000).toISOString(), tag)
    return { tag, objects: [tagOf(commit, tag, `tagger T <t@t.example> ${toSeconds(at)} -0700\n`), commit] }
  })
  if (asked.headers['git-protocol'] !== 'version=2') return void response.writeHead(400).end()
  if (asked.body.includes('command=ls-refs')) {
    return sendGit(response, toListed(made.map(({ tag, objects }) => [tag, idOf(objects[0]!)])))
  }
  const wanted = new Set(Array.from(asked.body.matchAll(/want ([0-9a-f]{40})\n/g), ([, id]) => id))
  const sent = made.filter(({ objects }) => wanted.has(idOf(objects[0]!))).flatMap(({ objects }) => objects)
  sendGit(response, toFetched(toPack(sent)))
}
