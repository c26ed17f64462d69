import * as fc from 'fast-check'

const surrogates = { from: 0xd800, count: 0x800 }

/**
 * Any Unicode character: what fast-check's `unit: 'binary'` generates. That unit first makes a map of all 1.1 million
 * characters, in every worker: a second, and 180 MB.
 */
export const anyCharacter = fc.nat({ max: 0x10ffff - surrogates.count }).map(
  (index) => String.fromCodePoint(index < surrogates.from ? index : index + surrogates.count),
  (value) => {
    if (typeof value !== 'string' || [...value].length !== 1 || !value.isWellFormed()) throw new Error('No character')
    const code = value.codePointAt(0)!
    return code < surrogates.from ? code : code - surrogates.count
  },
)

const parts = (separator: string) =>
  fc
    .array(fc.string({ unit: anyCharacter, maxLength: 12 }).map(encodeURIComponent), { maxLength: 3 })
    .map((all) => all.map((each) => separator + each).join(''))

/** What `fc.webUrl` generates with a query and a fragment, without that map. */
export const anyUrl = fc
  .tuple(fc.constantFrom('http://', 'https://'), fc.domain(), parts('/'), parts('?'), parts('#'))
  .map((all) => all.join(''))
