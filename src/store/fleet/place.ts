/** Key of a cluster of an owner: in maps and sets, and of stored silences. */
export const placeKey = ({ name, environment }: { name: string; environment: string }) =>
  JSON.stringify([name, environment])
