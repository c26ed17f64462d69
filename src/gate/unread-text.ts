/** States that other running artifacts were not collected. */
export const unreadText = (gap: string): string => `Not all that runs is known. ${gap}`
