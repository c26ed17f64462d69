import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Position after the parenthesis that closes the one at `start`. */
function findEnd(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at + 1
  }
  return text.length
}

test('each derived table has a name, which PostgreSQL 15 demands', () => {
  const found = globSync('src/**/*.ts').flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return [...text.matchAll(/\b(?:from|join)\s+(?:lateral\s+)?\((?=\s*(?:select|values)\b)/gi)].map(
      ({ 0: match, index }) => ({
        file,
        next: text.slice(findEnd(text, index + match.length - 1)).slice(0, 20),
      }),
    )
  })
  expect(found.length).toBeGreaterThan(5)
  expect(found.filter(({ next }) => !/^\s+as \w/.test(next))).toEqual([])
})
