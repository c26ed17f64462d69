/**
 * Invisible characters of foreign text, which could end a line, hide words from a user or a model that reads the answer, or
 * reorder text: controls, direction marks, zero-width characters, and tags (U+E0000 to U+E0FFF). Variation selectors 15 and
 * 16 choose how a character is drawn, and stay.
 */
const signs = String.raw`\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff`
/** Shorthand and musical format controls, and tags. */
const others = String.raw`\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}`
/** A zero-width joiner is visible if it combines two emoji. */
const picture = String.raw`\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?`
const joiner = String.raw`\u200d(?:(?<!${picture}\u200d)|(?!\p{Extended_Pictographic}))`

/** One or more invisible characters. Global: for `replace` only. */
export const unseen = new RegExp(`(?:[${signs}${others}]|${joiner})+`, 'gu')
