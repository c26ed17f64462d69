import { hash } from 'node:crypto'
import { pageStylesheet } from '../../html/pages/stylesheet.ts'
import { script } from '../../html/script.ts'
import { replyText } from '../http/reply.ts'
import type { HttpContext } from '../http/state.ts'

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#0a4fb8"/><path d="M9 25V8h8a5 5 0 0 1 0 10H9m7 0 7 7" fill="none" stroke="#fff" stroke-width="3.5"/></svg>`

const files = [
  { name: 'stylesheet', extension: 'css', type: 'text/css; charset=utf-8', body: pageStylesheet },
  { name: 'script', extension: 'js', type: 'text/javascript; charset=utf-8', body: script },
  { name: 'icon', extension: 'svg', type: 'image/svg+xml', body: icon },
] as const

const toPath = ({ extension, body }: (typeof files)[number]) =>
  `/assets/relt-${hash('sha256', body, 'hex').slice(0, 16)}.${extension}`

const byPath = new Map(files.map((file) => [toPath(file), file]))

/** File names contain a hash of the content, so browsers cache them permanently. */
export const assetPaths = Object.fromEntries([...byPath].map(([path, { name }]) => [name, path])) as Record<
  (typeof files)[number]['name'],
  string
>

export function findAsset(c: HttpContext): Promise<Response> | undefined {
  const file = ['GET', 'HEAD'].includes(c.req.method) ? byPath.get(c.req.path) : undefined
  if (!file) return undefined
  Object.assign(c.get('state'), { route: 'asset', path: '/assets' })
  return replyText(c, file.body, {
    type: file.type,
    headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
  })
}
