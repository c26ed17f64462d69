import { type CipherKey, createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'

/** AES-256-GCM with a fresh nonce each time. Layout: version | nonce (12) | tag (16) | ciphertext. */

const version = 1
const nonceLength = 12
const tagLength = 16
const headLength = 1 + nonceLength + tagLength

export const keyLength = 32

declare const isSealed: unique symbol

/** The result of `seal`: a column of this type cannot store plain text. */
export type Sealed = Uint8Array & { readonly [isSealed]: true }

/** `identity` names the kind and row: sealed bytes moved to another row cannot be opened. */
export function seal(key: CipherKey, identity: string, plain: Uint8Array) {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(identity))
  const sealed = [cipher.update(plain), cipher.final()]
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ...sealed]) as Buffer & Sealed
}

/** Throws for another key, modified bytes, or another identity. */
export function unseal(key: CipherKey, identity: string, sealed: Uint8Array) {
  if (sealed.length < headLength || sealed[0] !== version) throw new Error('not sealed by this version')
  const nonce = sealed.subarray(1, 1 + nonceLength)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(identity))
  decipher.setAuthTag(sealed.subarray(1 + nonceLength, headLength))
  return Buffer.concat([decipher.update(sealed.subarray(headLength)), decipher.final()])
}

/** An id that distinguishes keys without revealing them. */
export function toKeyId(key: Uint8Array) {
  return hash('sha256', Buffer.concat([Buffer.from('relt key id\n'), key]), 'hex').slice(0, 16)
}

/**
 * A keyed permutation of 16-byte digests: AES-256 on each block. Equal digests stay equal, so that they can be looked up,
 * and without the key a guess cannot be verified. ECB reveals equal blocks of plain text, but equal digests are the same
 * finding. It is a hundred times as fast as an HMAC of each digest.
 */
export function hideDigests(key: CipherKey, digests: Uint8Array) {
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  return Buffer.concat([cipher.update(digests), cipher.final()])
}

export function showDigests(key: CipherKey, hidden: Uint8Array) {
  const decipher = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  return Buffer.concat([decipher.update(hidden), decipher.final()])
}
