import { Client, type QueryConfig } from 'pg'
import { ReltError } from '../../errors.ts'
import { type PostgresAddress, poolConfig, toOpenError } from './open.ts'

const patienceMs = 5000

/** A connection for copying a store, with its single transaction. */
export interface CopyConnection {
  client: Client
  /**
   * Ends the transaction and frees its locks before it returns. A connection in the middle of a COPY accepts no statement,
   * and the server would notice its end late, so it is terminated from another connection.
   */
  end: (isCopying: boolean) => Promise<void>
}

/** Connects and runs the work in a transaction. Closes the connection even if it throws `ReltError`. */
export async function connectForCopy<T>(
  address: PostgresAddress,
  begin: string,
  work: (connection: CopyConnection) => Promise<T>,
): Promise<T> {
  const client = newClient(address)
  let id: number | undefined
  const end = async (isCopying: boolean) => {
    if (id !== undefined) await (isCopying ? terminate(address, id) : rollBack(client))
    await client.end().catch(() => undefined)
  }
  try {
    await client.connect()
    await client.query(begin)
    // Before the transaction, a pooler may have used another server process.
    id = (await client.query('select pg_backend_pid() as id')).rows[0].id
    return await work({ client, end })
  } catch (error) {
    await end(false)
    throw error instanceof ReltError ? error : toOpenError(error, address)
  }
}

function newClient(address: PostgresAddress): Client {
  const client = new Client({ ...poolConfig(address), query_timeout: 0 } as never)
  // The running statement also fails.
  client.on('error', () => undefined)
  return client
}

async function rollBack(client: Client): Promise<void> {
  await client.query({ text: 'rollback', query_timeout: patienceMs } as QueryConfig).catch(() => undefined)
}

async function terminate(address: PostgresAddress, id: number): Promise<void> {
  const other = newClient(address)
  try {
    await other.connect()
    await other.query(`select pg_terminate_backend(${id}, ${patienceMs})`)
  } catch {
    // The server notices the closed connection by itself.
  } finally {
    await other.end().catch(() => undefined)
  }
}
