import { ReltError } from '../errors.ts'

/** Adds the file name to a service error about a report; undefined for other errors. */
export function namedError(error: ReltError, name: string): ReltError | undefined {
  if (!isAboutTheReport(error)) return undefined
  const { code, message, params, hint } = error
  const what = params ? `${name} cannot be stored as a report.` : `${name}: ${message}`
  return new ReltError(code, what, { ...(hint && { hint }), ...(params && { params }), cause: error })
}

function isAboutTheReport({ code, params }: ReltError): boolean {
  const names = Object.keys(params ?? {})
  return code === 'invalid_json' || code === 'missing_param' || names.some((name) => name.split('.')[0] === 'report')
}
