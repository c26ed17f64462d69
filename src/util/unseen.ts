/**
 * Characters of foreign text that nobody sees, and that could end a line, hide words from a person or from a model that
 * reads the answer, or reorder what is read: controls, marks of direction, characters
 * without width, and tags (U+E0000 to U+E0FFF). Variation selectors 15 and 16 choose how a sign is drawn, and stay.
 */
const signs = String.raw`\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff`
/** Of shorthand, of music, and tags. */
const pairs = String.raw`\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|[\udb40-\udb43][\udc00-\udfff]`

/** One or more of them. Global: for `replace` only. */
export const unseen = new RegExp(`(?:[${signs}]|${pairs})+`, 'g')
