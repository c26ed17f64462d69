const key = Buffer.from('"Node"')
/** More machines are not looked for. */
const maxNodes = 20_000
export const maxNodeName = 253

/**
 * Names of the machines that a report of KubeBuddy mentions: every row about one, and every row of a pod that says where it
 * runs, has the field `Node`. Found before the rows are read, because other checks may come first.
 */
export function nodeNamesIn(report: Uint8Array): Set<string> {
  const bytes = Buffer.from(report.buffer, report.byteOffset, report.byteLength)
  const names = new Set<string>()
  for (let at = bytes.indexOf(key); at >= 0 && names.size < maxNodes; at = bytes.indexOf(key, at + key.length)) {
    const member = bytes.toString('latin1', at + key.length, at + key.length + maxNodeName + 40)
    const name = /^\s*:\s*"([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)"/.exec(member)?.[1]
    if (name !== undefined) names.add(name)
  }
  return names
}
