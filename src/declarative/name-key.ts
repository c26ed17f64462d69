/** Normalizes label names like the service. */
export const toKey = (name: string): string => name.normalize('NFC').toLowerCase()
