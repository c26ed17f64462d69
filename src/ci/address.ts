/** A web URL without user and password; undefined for anything else. */
export function plainUrl(address: string | undefined): string | undefined {
  const url = address ? URL.parse(address) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  url.username = ''
  url.password = ''
  return url.href
}

/** `https://token@git.example/shop/web.git` and `git@git.example:shop/web.git` → `shop/web`. */
export function repositoryName(remote: string | undefined): string | undefined {
  if (!remote || remote.length > 2000) return undefined
  const path = /^[\w+.-]+:\/\//.test(remote) ? URL.parse(remote)?.pathname : remote.split(':').at(-1)
  return (
    path
      ?.replace(/^\/+/, '')
      .replace(/(?<!\/)\/+$/, '')
      .replace(/\.git$/, '') || undefined
  )
}
