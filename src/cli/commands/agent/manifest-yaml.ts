import { stringify } from 'yaml'
import type { Manifest } from '../../../agent/units/kubernetes.ts'

/** One document for each object. */
export const manifestYaml = (objects: Manifest[]): string =>
  objects
    .map((object) => stringify(object, { aliasDuplicateObjects: false, compat: 'yaml-1.1', lineWidth: 0 }))
    .join('---\n')
