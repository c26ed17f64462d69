import { parseDocument } from 'yaml'

/** Text is left as text: an app version `1.10` is no number. Throws for what is no YAML, and when it becomes too much. */
export type ParseYaml = (text: string) => unknown

/** The parser takes up to three seconds for a MiB that means no good, and a thousand times its size. */
const mostAtOnce = 256 * 1024
const mostInAll = 8 * 1024 * 1024

/** For one look at one repository. */
export function createYamlParser(): ParseYaml {
  let left = mostInAll
  return (text) => {
    left -= text.length
    if (text.length > mostAtOnce || left < 0) throw new Error('it is too large')
    // Looking for keys that are there twice takes time by the square of their number.
    const options = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, logLevel: 'error' } as const
    const document = parseDocument(text, options)
    const [error] = document.errors
    if (error) throw error
    return document.toJS({ maxAliasCount: 100 })
  }
}
