import type { Asked } from './local-server.ts'

interface RequestKinds {
  /** Token requests, and the refusals that ask for one. Repositories asked at about the same time share a token. */
  tokens: Asked[]
  /** Requests without conditions: to git, and to GraphQL, of which one answers for up to 20 repositories. */
  unconditional: Asked[]
  /** All others. */
  conditional: Asked[]
}

/** Separates the requests whose number depends on timing from those that each source sends. */
export function requestsByKind(asked: Asked[]): RequestKinds {
  const toKind = ({ path, status }: Asked): keyof RequestKinds => {
    if (path.startsWith('/token?') || status === 401) return 'tokens'
    return path === '/graphql' || path.endsWith('/git-upload-pack') ? 'unconditional' : 'conditional'
  }
  const { tokens = [], unconditional = [], conditional = [] } = Object.groupBy(asked, toKind)
  return { tokens, unconditional, conditional }
}
