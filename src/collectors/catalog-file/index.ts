import { parseImageRef } from '../../freshness/image-ref.ts'
import type { Http } from '../http.ts'
import { createDockerCredentials } from '../oci/docker-credentials.ts'
import type { OciSettings } from '../oci/index.ts'
import { readBlob, readManifest } from '../oci/manifest.ts'
import { answerIn, Registries, type RegistryFailure, unreadable } from '../oci/registry.ts'
import type { SourceState } from '../source-state.ts'

const types = ['application/octet-stream', 'binary/octet-stream', 'application/gzip', 'application/x-gzip']
const maxBytes = 16 * 1024 * 1024

/** Fetches a catalog file from a web address, or the layer of an artifact at `oci://host/path:tag`. */
export async function fetchCatalogFile(
  http: Http,
  address: string,
  { state, env, mirrors = {} }: OciSettings & { state: SourceState },
): Promise<{ kind: 'ok'; body: Buffer; state: SourceState } | RegistryFailure['answer']> {
  if (!address.startsWith('oci://')) return http.ask({ url: address, types, state, maxBytes })
  const ref = parseImageRef(address.slice('oci://'.length))
  if (!ref) return { kind: 'absent', reason: 'the address is none of a registry' }
  const registries = new Registries({ findCredential: createDockerCredentials(env), mirrors }, http)
  const repository = registries.in({ host: ref.registry, name: ref.repository })
  try {
    const { manifest, digest } = await readManifest(repository, ref.digest ?? ref.tag ?? 'latest')
    if (digest === state.etag) return { kind: 'unchanged', state }
    const [layer] = manifest.layers ?? []
    if (!layer) throw unreadable(repository, 'no catalog')
    return { kind: 'ok', body: await readBlob(repository, layer, maxBytes), state: { etag: digest } }
  } catch (error) {
    return answerIn(error)
  }
}
