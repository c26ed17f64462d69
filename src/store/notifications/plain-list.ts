/** `app, helm` → `app,helm`: queries search for a type between commas. */
export function plainList(types: string | undefined) {
  return types?.replaceAll(/\s/g, '')
}
