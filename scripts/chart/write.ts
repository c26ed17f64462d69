/** Writes the part of the chart that `relt agent manifests` is the source of. */
import { writeFileSync } from 'node:fs'
import { agentTemplate } from './agent-template.ts'

writeFileSync('charts/relt/templates/agent.yaml', agentTemplate())
