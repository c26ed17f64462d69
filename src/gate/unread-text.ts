/** What runs besides, nobody has looked at. */
export const unreadText = (gap: string): string => `Not all that runs is known. ${gap}`
