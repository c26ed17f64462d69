import { ReltError } from '../../errors.ts'

/**
 * Runs an action for several items in sequence, despite failures. `report` gets the results, then the failures are thrown as
 * one error.
 */
export async function doEach<R>(
  names: string[],
  work: (name: string) => Promise<R>,
  report: (done: R[]) => Promise<void>,
) {
  const each = [...new Set(names)]
  const done: R[] = []
  const failures: [name: string, error: Error][] = []
  for (const name of each) {
    try {
      done.push(await work(name))
    } catch (error) {
      failures.push([name, error as Error])
    }
  }
  const [first] = failures
  if (first && each.length === 1) throw first[1]
  await report(done)
  if (first) throw formatSummary(failures, each.length)
}

function formatSummary(failures: [name: string, error: Error][], total: number) {
  const cause = failures[0]![1]
  return new ReltError(cause instanceof ReltError ? cause.code : 'internal', `${failures.length} of ${total} failed.`, {
    params: Object.fromEntries(failures.map(([name, { message }]) => [name, message])),
    cause,
  })
}
