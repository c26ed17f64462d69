import type { CollectOutcome } from '../collector.ts'
import type { Http } from '../http.ts'
import { toFailure } from '../outcome.ts'
import { readPackfile } from './packfile.ts'

export interface GitRepository {
  http: Http
  url: string
  secretHeaders: Record<string, string>
}

type Answer<T> = { kind: 'ok'; value: T } | Exclude<CollectOutcome, { kind: 'changed' | 'unchanged' }>

/** As `git check-ref-format` allows them. */
const tagLine = /^([0-9a-f]{40}) refs\/tags\/((?!.*(?:\.\.|\/\/|@\{))[^\s\p{C}~^:?*[\\]{1,256})\n?$/u

/** All tags, by name the ids of their objects, in one request. */
export function listTags(repository: GitRepository): Promise<Answer<Map<string, string>>> {
  return ask(repository, 'ls-refs', ['ref-prefix refs/tags/'], (packets) => {
    const lines = packets.map((packet) => tagLine.exec(packet.toString()) ?? [])
    return new Map(lines.flatMap(([, id, name]) => (id && name ? [[name, id]] : [])))
  })
}

/** Unix seconds by id: of annotated tags their own time, of others that of the commit. */
export function findTimes(repository: GitRepository, ids: string[]): Promise<Answer<Map<string, number>>> {
  const wants = ids.map((id) => `want ${id}`)
  return ask(repository, 'fetch', ['no-progress', 'deepen 1', 'filter tree:0', ...wants, 'done'], (packets) => {
    const pack = packets.filter(([band]) => band === 1).map((packet) => packet.subarray(1))
    // An annotated tag comes with its commit.
    const objects = readPackfile(Buffer.concat(pack), ids.length * 3)
    const head = (id = '') => objects.get(id)?.toString('utf8', 0, 4096).split('\n\n')[0] ?? ''
    const times = ids.map((id) => toTime(head(id)) ?? toTime(head(/^object (\w{40})$/m.exec(head(id))?.[1])))
    return new Map(times.flatMap((time, index) => (time === undefined ? [] : [[ids[index]!, time]])))
  })
}

function toTime(head: string) {
  const seconds = /^(?:tagger|committer) .*> (\d{1,11}) /m.exec(head)?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}

/** Sends a command of protocol v2, which needs no handshake before it. https://git-scm.com/docs/protocol-v2 */
async function ask<T>(
  { http, url, secretHeaders }: GitRepository,
  command: string,
  lines: string[],
  read: (packets: Buffer[]) => T,
): Promise<Answer<T>> {
  const answer = await http.ask({
    url: `${url}/git-upload-pack`,
    method: 'POST',
    body: `${toPacket(`command=${command}`)}0001${lines.map(toPacket).join('')}0000`,
    headers: { 'content-type': 'application/x-git-upload-pack-request', 'git-protocol': 'version=2' },
    secretHeaders,
    types: ['application/x-git-upload-pack-result'],
  })
  const { host } = new URL(url)
  // GitHub asks for a password where there is no repository.
  if (answer.kind === 'denied' && answer.status === 401 && !secretHeaders.authorization)
    return { kind: 'absent', reason: `${host} has no such public repository` }
  if (answer.kind !== 'ok') return toFailure(answer) as Answer<T>
  try {
    return { kind: 'ok', value: read(toPackets(answer.body)) }
  } catch {
    return { kind: 'unreachable', reason: `${host} did not answer ${command} as git with protocol v2 and filters does` }
  }
}

const toPacket = (line: string) => `${(line.length + 5).toString(16).padStart(4, '0')}${line}\n`

/** Throws unless the last packet is there. */
function toPackets(body: Buffer) {
  const packets: Buffer[] = []
  let length = 4
  for (let at = 0; at < body.length; at += Math.max(length, 4)) {
    length = Number(`0x${body.toString('latin1', at, at + 4)}`)
    packets.push(body.subarray(at + 4, at + length))
    if (!(at + length <= body.length)) throw new Error('a broken packet')
  }
  if (length !== 0) throw new Error('an answer that is cut off')
  return packets
}
