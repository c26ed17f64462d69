/** Compares labels like the service does. */
export const keyOf = (name: string): string => name.normalize('NFC').toLowerCase()
