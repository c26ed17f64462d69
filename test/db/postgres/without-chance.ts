/** Ids, keys and secrets. */
const chance = new RegExp(
  [
    String.raw`\b(?:clus_[0-9a-f]{16}|(?:crun|exc|ccfg|msg|feed)_[0-9a-z]+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32})\b`,
    String.raw`\b[A-Za-z0-9]{4}(?: [A-Za-z0-9]{4}){5}\b`,
    String.raw`\bwhsec_[A-Za-z0-9+/]{43}=`,
    String.raw`(?<=/feeds/)[\w-]{43}(?=\.)`,
    `(?<="gaps_key":")[0-9a-f]{16}(?=")`,
  ].join('|'),
  'g',
)

/** With ids of chance replaced by their order. */
export function withoutChance(text: string): string {
  const known = new Map<string, string>()
  return text.replace(chance, (id) => {
    if (!known.has(id)) known.set(id, `id ${known.size}`)
    return known.get(id)!
  })
}
