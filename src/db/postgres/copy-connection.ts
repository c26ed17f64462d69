import { Client, type QueryConfig } from 'pg'
import { ReltError } from '../../errors.ts'
import { type PostgresAddress, poolConfig, toOpenError } from './open.ts'

const patienceMs = 5000

/** A connection of a copy, with its one transaction. */
export interface CopyConnection {
  client: Client
  /**
   * Ends the transaction: when it returns, its locks are free. A connection in the middle of a COPY takes no statement, and
   * the server would notice its end only later: it is ended from another one.
   */
  end: (isCopying: boolean) => Promise<void>
}

/** Connects, and works in a transaction. Throws `ReltError`, after which nothing of the connection is left. */
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
    // Before the transaction, a pooler may have used another process.
    id = (await client.query('select pg_backend_pid() as id')).rows[0].id
    return await work({ client, end })
  } catch (error) {
    await end(false)
    throw error instanceof ReltError ? error : toOpenError(error, address)
  }
}

function newClient(address: PostgresAddress): Client {
  const client = new Client({ ...poolConfig(address), query_timeout: 0 } as never)
  // It also fails the statement that is running.
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
    // The server then notices the end of the connection by itself.
  } finally {
    await other.end().catch(() => undefined)
  }
}
