/** All bytes of a stream; undefined if there are more than `maxBytes`. */
export async function readStream(stream: AsyncIterable<unknown>, maxBytes: number) {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as string | Uint8Array)
    length += bytes.length
    if (length > maxBytes) return undefined
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
