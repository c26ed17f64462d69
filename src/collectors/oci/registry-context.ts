import type { CollectContext, Source } from '../collector.ts'
import type { Registries } from './registry.ts'

export interface RegistryContext {
  registries: Registries
  source: Source
  context: CollectContext
}
