import { chmodSync } from 'node:fs'
import type { Client } from '../client/client.ts'
import { ReltError } from '../errors.ts'
import { answersText } from '../metrics/answers.ts'
import { unwritable } from '../util/file-error.ts'
import { replaceFile } from '../util/replace-file.ts'

/**
 * Writes metrics about all clusters for node_exporter, atomically. Returns the number of clusters. Throws `usage` for a file
 * name that its textfile collector ignores.
 */
export async function writeTextfile(client: Client, file: string): Promise<number> {
  if (!file.endsWith('.prom')) throw new ReltError('usage', `node_exporter reads only files named *.prom, not ${file}.`)
  const answer = await client.call('getClusterMetrics', {})
  try {
    replaceFile(file, answersText(answer, 'prometheus'), { mode: 0o644 })
    // node_exporter runs as another user, so this ignores the umask.
    chmodSync(file, 0o644)
  } catch (cause) {
    throw unwritable(file, cause)
  }
  return answer.items.length
}
