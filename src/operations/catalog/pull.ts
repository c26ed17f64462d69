import { fetchCatalogFile } from '../../collectors/catalog-file/index.ts'
import { createHttp, usualPatience } from '../../collectors/http.ts'
import type { SourceState } from '../../collectors/source-state.ts'
import { readCatalogSettings } from '../../config/catalog.ts'
import { certificatesFor } from '../../config/certificates.ts'
import type { Env } from '../../config/env.ts'
import { findMeta, setMeta } from '../../db/meta.ts'
import type { Db } from '../../db/open.ts'
import { ReltError } from '../../errors.ts'
import { hasCredentials } from '../../util/address.ts'
import { ensureCatalog } from './bundled.ts'
import { importCatalog } from './file.ts'
import { readPublicKey } from './signature.ts'

export interface PullOptions {
  env: Env
  signal: AbortSignal
  /** A web address or `oci://…`, in place of that in the settings. */
  address?: string | undefined
  /** Public key of the publisher, in place of that in the settings. */
  key?: string | undefined
}

/** Result of a pull; undefined if the published file has not changed since the last one. */
export type PulledCatalog = Awaited<ReturnType<typeof pullCatalog>>

const mostBytes = 64 * 1024 * 1024

/** Fetches a catalog file that a publisher signed, and imports it. Throws `usage` without an address or a key. */
export async function pullCatalog({ db, now }: { db: Db; now: () => number }, { env, signal, ...given }: PullOptions) {
  const { pullUrl, publisher, access, registryMirrors: mirrors } = readCatalogSettings(env)
  const { address, signer } = choose(given.address ?? pullUrl, given.key ?? publisher)
  await ensureCatalog(db, now())
  const known: Partial<Pulled> = JSON.parse((await findMeta(db, 'pulled')) ?? '{}')
  const state = known.address === address && known.signer === signer ? known.state! : {}
  const http = createHttp({
    env,
    access: { ...access, trustedHosts: [new URL(address).host] },
    ca: certificatesFor(env),
    now,
    signal,
    perHost: 1,
    ...usualPatience,
  })
  try {
    const answer = await fetchCatalogFile(http, address, { state, env, mirrors })
    if (answer.kind === 'unchanged') return undefined
    if (answer.kind !== 'ok') throw toError(answer)
    const imported = await importCatalog(db, answer.body, now(), { signer, mostBytes })
    await setMeta(db, 'pulled', JSON.stringify({ address, signer, state: answer.state } satisfies Pulled))
    return imported
  } finally {
    await http.close()
  }
}

interface Pulled {
  address: string
  signer: string
  /** Makes the next request for this address conditional. */
  state: SourceState
}

function choose(address: string | undefined, signer: string | undefined) {
  if (!/^(?:https?|oci):\/\/[^/]/.test(address ?? '') || !URL.canParse(address!) || hasCredentials(address!)) {
    const what = 'No address of a published catalog is set, and there is no public one before the first release.'
    throw new ReltError('usage', address === undefined ? what : 'A catalog cannot be pulled from this address.', {
      hint: 'Name one: https://… or oci://…, without a password, or RELT_CATALOG_URL. Without one, run relt catalog sync, or relt catalog import FILE.',
    })
  }
  if (signer === undefined) {
    throw new ReltError('usage', 'This relt was built without the key of a publisher.', {
      hint: 'Name the key of the one that you trust: --key ed25519:…, or RELT_CATALOG_KEY',
    })
  }
  readPublicKey(signer)
  return { address: address!, signer }
}

const codes = { absent: 'not_found', denied: 'forbidden', unreachable: 'unreachable', limited: 'rate_limited' } as const

function toError({ kind, reason = 'its host is rate-limited' }: { kind: keyof typeof codes; reason?: string }) {
  return new ReltError(codes[kind], `No catalog was pulled: ${reason}.`, {
    hint: 'Without a network, copy the file here: relt catalog import FILE',
  })
}
