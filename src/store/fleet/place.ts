/** Identifies a cluster of one owner in maps and sets. */
export const placeKey = ({ name, environment }: { name: string; environment: string }): string =>
  JSON.stringify([name, environment])
