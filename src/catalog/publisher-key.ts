/**
 * Public key of the publisher of this relt's bundles, `ed25519:…`; `docs/trust.md` says how to set it. Undefined: none was
 * published yet.
 */
export const publisherKey: string | undefined = undefined
