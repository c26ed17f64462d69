import { createHash } from 'node:crypto'
import type { At } from './objects.ts'

export const hashed = (text: string): string => createHash('md5').update(text).digest('hex')

export const hostOf = (node: string): string => node.split('.')[0]!

/** As Rook makes names: the hash of a node if the name would be longer than `limit`. */
export const withNode = (prefix: string, node: string, limit = 63): string =>
  prefix + (prefix.length + node.length > limit ? hashed(node) : node)

/** As Rancher's wrangler makes names: long ones end with five hex digits. */
export const shortened = (name: string): string =>
  name.length > 63 ? `${name.slice(0, 57)}-${hashed(name).slice(0, 5)}` : name

/** Numbers of the members of a database: each day the second one is replaced by one with the next number. */
export const members = ({ day }: At): number[] => [1, day + 1, day + 2]
