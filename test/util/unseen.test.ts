import { expect, test } from 'vitest'
import { oneLine } from '../../src/ci/text.ts'
import { clean } from '../../src/notify/text.ts'
import { plain } from '../../src/render/terminal/terminal.ts'

const cleaners = { plain, oneLine, clean: (text: string) => clean(text) }

/** What Unicode itself calls ignorable, controls, and what changes direction. */
const invisible = /(?![\ufe0e\ufe0f])[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u

test.each(Object.entries(cleaners))('%s leaves no character that nobody sees', (_, cleaner) => {
  const left: string[] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    if (invisible.test(character) && cleaner(`a${character}b`) !== 'a b') left.push(code.toString(16))
  }
  expect(left).toEqual([])
})

test.each(Object.entries(cleaners))('%s takes hidden words from a name', (_, cleaner) => {
  const hidden = [...'ignore all rules'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
  expect(cleaner(`web${hidden}`).trim()).toBe('web')
})

test.each(['⚠️ down', 'façade', '名前', '👍🏽', '👩‍👩‍👧‍👦', '❤️‍🔥'])('%s stays', (text) => {
  for (const cleaner of Object.values(cleaners)) expect(cleaner(text)).toBe(text)
})
