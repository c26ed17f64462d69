import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { FileHeader, FileSignature } from '../../contract/catalog.ts'
import { ReltError } from '../../errors.ts'
import type { Vault } from '../keys/vault.ts'

/** The Ed25519 key with which a store or a publisher signs catalog files. */
export interface SigningKey {
  /** `ed25519:` and 32 bytes in base64url. */
  publicKey: string
  sign(header: SignedHeader): FileSignature
}

type SignedHeader = Pick<FileHeader, 'exported_at' | 'sha256'>

/** PKCS #8 of an Ed25519 key (RFC 8410), up to its 32 bytes. */
const pkcs8Start = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Derived from the store's hash key: backups contain it, so there is no extra key to seal or lose. */
export function signingKeyFor(vault: Vault): SigningKey {
  const seed = vault.keyedHash('catalog-signing-key', '')
  return toSigningKey(createPrivateKey({ key: Buffer.concat([pkcs8Start, seed]), format: 'der', type: 'pkcs8' }))
}

export function toSigningKey(key: KeyObject): SigningKey {
  const publicKey = `ed25519:${createPublicKey(key).export({ format: 'jwk' }).x}`
  return {
    publicKey,
    sign: (header) => ({ public_key: publicKey, value: sign(null, signedBytes(header), key).toString('base64url') }),
  }
}

/** Signs the catalog by its hash. The first line prevents the signature from being valid for other data. */
function signedBytes({ exported_at, sha256 }: SignedHeader) {
  return Buffer.from(`relt-catalog-signature-1\n${exported_at}\n${sha256}\n`)
}

export function hasValidSignature(header: SignedHeader, { public_key, value }: FileSignature) {
  return verify(null, signedBytes(header), readPublicKey(public_key), Buffer.from(value, 'base64url'))
}

/** Throws `usage` unless the text is the public key of a store. */
export function readPublicKey(text: string) {
  const x = /^ed25519:([\w-]{43})$/.exec(text)?.[1]
  if (x === undefined) {
    throw new ReltError('usage', `"${text}" is not the public key of a store or publisher.`, {
      hint: 'The export prints it: relt catalog export FILE --sign',
    })
  }
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}
