import type { Asked } from './local-server.ts'

interface RequestKinds {
  /** Token requests, and the refusals that ask for one. Repositories asked at about the same time share a token. */
  tokens: Asked[]
  /** GraphQL requests, which have no conditions. One answers for up to 20 repositories. */
  batches: Asked[]
  /** All others. */
  conditional: Asked[]
}

/** Separates the requests whose number depends on timing from those that each source sends. */
export function requestsByKind(asked: Asked[]): RequestKinds {
  const toKind = ({ path, status }: Asked): keyof RequestKinds => {
    if (path.startsWith('/token?') || status === 401) return 'tokens'
    return path === '/graphql' ? 'batches' : 'conditional'
  }
  const { tokens = [], batches = [], conditional = [] } = Object.groupBy(asked, toKind)
  return { tokens, batches, conditional }
}
