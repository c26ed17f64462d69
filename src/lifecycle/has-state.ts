import type { ArtifactState } from '../contract/step.ts'

export interface WithStates {
  states?: readonly ArtifactState[] | null | undefined
}

export function hasState({ states }: WithStates, state: ArtifactState) {
  return states?.includes(state) ?? false
}
