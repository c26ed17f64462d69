/** Labels are told apart as the service does it. */
export const keyOf = (name: string): string => name.normalize('NFC').toLowerCase()
