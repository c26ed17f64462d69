/** Key of an owner's cluster in maps and sets. */
export const placeKey = ({ name, environment }: { name: string; environment: string }): string =>
  JSON.stringify([name, environment])
