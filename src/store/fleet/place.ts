/** A cluster of an owner, as a key of maps and sets. */
export const placeKey = ({ name, environment }: { name: string; environment: string }): string =>
  JSON.stringify([name, environment])
