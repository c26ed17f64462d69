/** Proxies of the environment, as curl reads them. */
export function proxiesFor(env: Record<string, string | undefined>) {
  const proxy = (name: string) => env[name.toLowerCase()] || env[name] || undefined
  return { http: proxy('HTTP_PROXY'), https: proxy('HTTPS_PROXY'), none: proxy('NO_PROXY') }
}
