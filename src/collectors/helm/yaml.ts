import { parseDocument } from 'yaml'
import type * as z from 'zod/mini'

/** Values stay texts: an app version `1.10` is not a number. Throws for invalid YAML, and beyond a limit. */
export type ParseYaml = (text: string) => unknown

/** Limit of parsing, because a malicious MiB can take the parser three seconds and a thousand times its size. */
const mostAtOnce = 256 * 1024
const mostInAll = 8 * 1024 * 1024

/** Lives for one sync of one repository. */
export function createYamlParser(): ParseYaml {
  let left = mostInAll
  return (text) => {
    left -= text.length
    if (text.length > mostAtOnce || left < 0) throw new Error('it is too large')
    // Checking for duplicate keys takes quadratic time.
    const options = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, logLevel: 'error' } as const
    const document = parseDocument(text, options)
    const [error] = document.errors
    if (error) throw error
    return document.toJS({ maxAliasCount: 100 })
  }
}

/** Undefined for invalid YAML, and for other schemas. */
export function readYaml<T extends z.ZodMiniType>(body: Buffer, shape: T): z.output<T> | undefined {
  try {
    return shape.safeParse(createYamlParser()(body.toString('utf8'))).data
  } catch {
    return undefined
  }
}
