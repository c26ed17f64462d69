/** Findings have no file: a path of their place stands for one, `shop/pod/web`. Relative, and never upwards. */
export function placePath(...parts: string[]): string {
  return parts
    .flatMap((part) => part.toWellFormed().split('/'))
    .map((segment) => encodeURIComponent(segment.slice(0, 200).toWellFormed()).replace(/^\.+$/, '_'))
    .filter((segment) => segment !== '')
    .join('/')
}
