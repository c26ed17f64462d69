/** Longer texts are explanations rather than lists. */
const longest = 500
const denial =
  /\b(?:no|not|none|never|without|un\w+|before|prior|until|below|except|affect\w*|vulnerable|todo|tbd|planned)\b/i
/** `>1.2.3` and `<1.2.3` contain versions that are not fixed, `!=1.2.3` an affected one. */
const named = /^(?:>=|={1,2}|[~^])?((?:[a-z][\w.]*-)?v?\d{1,9}(?:\.\d{1,9}){1,3}(?:[-+][\w.+-]{1,60})?)$/i

/** The versions that an advisory's text names as fixed: `>= 2.10.3, 2.9.8` → `2.10.3`, `2.9.8`; empty for other forms. */
export function fixedVersions(text: string) {
  if (text.length > longest || denial.test(text)) return []
  const words = text
    .replace(/([<>=!~^])\s+/g, '$1')
    .split(/[\s,;|()[\]"'`]+/)
    .map((word) => word.replace(/[.:]$/, ''))
  return [...new Set(words.flatMap((word) => named.exec(word)?.[1] ?? []))]
}
