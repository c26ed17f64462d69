/** Compares labels like the service does. */
export const toKey = (name: string): string => name.normalize('NFC').toLowerCase()
