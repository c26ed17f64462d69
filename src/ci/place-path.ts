/** Findings have no file, so their location becomes a path, such as `shop/pod/web`: relative and without `..`. */
export function placePath(...parts: string[]) {
  return parts
    .flatMap((part) => part.toWellFormed().split('/'))
    .map((segment) => encodeURIComponent(segment.slice(0, 200).toWellFormed()).replace(/^\.+$/, '_'))
    .filter((segment) => segment !== '')
    .join('/')
}
