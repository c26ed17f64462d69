import { ReltError } from '../../errors.ts'

/**
 * Does the same for each of several things, one after another. A failure keeps none of the others from being done:
 * `report` gets what was, then what failed is thrown, as one error that names each.
 */
export async function doEach<R>(
  names: string[],
  work: (name: string) => Promise<R>,
  report: (done: R[]) => Promise<void>,
): Promise<void> {
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

function formatSummary(failures: [name: string, error: Error][], total: number): ReltError {
  const cause = failures[0]![1]
  return new ReltError(cause instanceof ReltError ? cause.code : 'internal', `${failures.length} of ${total} failed.`, {
    params: Object.fromEntries(failures.map(([name, { message }]) => [name, message])),
    cause,
  })
}
