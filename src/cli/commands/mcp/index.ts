import { verb } from '../../program/verb.ts'

export default verb({
  examples: ['relt mcp', 'relt mcp --server https://relt.example'],
  epilog:
    'Speaks the Model Context Protocol over standard input and output, with ten tools that only read. See docs/assistants.md.',
  run: async ({ context }) => {
    const client = await context.client()
    const { serveMcp } = await import('../../../mcp/stdio.ts')
    await serveMcp({ ask: (name, input) => client.call(name, input), now: context.now }, context)
  },
})
