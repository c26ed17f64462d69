import { ReltError } from '../errors.ts'

/** Adds the file name to a service error about a report; undefined for other errors. */
export function namedError(error: ReltError, name: string): ReltError | undefined {
  const { code, message, params, hint } = error
  const isOfReport = Object.keys(params ?? {}).some(
    (name) => name === 'cluster.name' || name.split('.')[0] === 'report',
  )
  if (!isOfReport && code !== 'invalid_json') return undefined
  const what = params ? `${name} cannot be stored as a report.` : `${name}: ${message}`
  return new ReltError(code, what, { ...(hint && { hint }), ...(params && { params }), cause: error })
}
