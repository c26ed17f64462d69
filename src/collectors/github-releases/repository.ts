import type { Source } from '../collector.ts'

export interface GithubSettings {
  /** URL of a mirror instead of `https://github.com`. */
  webUrl: string
  /** URL of a mirror instead of `https://api.github.com`. */
  apiUrl: string
  /** Sent to that API only. */
  token: string | undefined
}

export interface GithubRepository {
  owner: string
  name: string
  webUrl: string
  apiUrl: string
  graphqlUrl: string
  token: string | undefined
}

const part = /^[\w.-]{1,100}$/

/** A repository on GitHub, or on a GitHub Enterprise server with another host. */
export function repositoryFor(
  { url, credential }: Pick<Source, 'url' | 'credential'>,
  settings: GithubSettings,
): GithubRepository | undefined {
  const at = URL.parse(url)
  if (!at || !/^https?:$/.test(at.protocol)) return undefined
  const [owner = '', last = '', ...more] = at.pathname.split('/').filter((word) => word !== '')
  const name = last.replace(/\.git$/, '')
  if (more.length > 0 || !part.test(owner) || !part.test(name) || /^\.+$/.test(name)) return undefined
  const own = credential?.secret
  if (at.hostname === 'github.com') {
    const { webUrl, apiUrl, token } = settings
    // Enterprise servers have it next to the REST version, not below it.
    const graphqlUrl = `${apiUrl.replace(/\/v3$/, '')}/graphql`
    return { owner, name, webUrl, apiUrl, graphqlUrl, token: own ?? token }
  }
  const { origin } = at
  return { owner, name, webUrl: origin, apiUrl: `${origin}/api/v3`, graphqlUrl: `${origin}/api/graphql`, token: own }
}
