/** JSON or YAML, with characters escaped that YAML parsers reject or treat as line breaks. */
export function escapeForYaml(text: string) {
  return text.replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
