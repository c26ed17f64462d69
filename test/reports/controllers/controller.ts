import type { At, KubeObject } from './objects.ts'

/** The objects that a controller has on a day. */
export interface Controller {
  namespace: string
  /** Where its names are public. */
  source: string
  objects: (at: At) => KubeObject[]
}
