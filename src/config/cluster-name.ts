export interface ClusterName {
  cluster: string
  /** Undefined: the environment of the latest run. */
  environment: string | undefined
}

/**
 * Parses `prod-eu`, or `prod-eu/prod` with its environment. The part after the last slash is the environment: a name that
 * contains slashes ends with one if no environment is meant. Throws an `Error` that says what is required.
 */
export function parseClusterName(text: string): ClusterName {
  const at = text.lastIndexOf('/')
  const cluster = (at < 0 ? text : text.slice(0, at)).trim()
  const environment = at < 0 ? '' : text.slice(at + 1).trim()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  const isLine = /^[^\u0000-\u001f\u007f-\u009f]{1,354}$/.test(text)
  if (!isLine || cluster === '') throw new Error('the name of a cluster, such as prod-eu or prod-eu/prod')
  return { cluster, environment: environment || undefined }
}
