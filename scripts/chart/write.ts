/** Writes the part of the chart that comes from the program: what the agent may read in a cluster. */
import { writeFileSync } from 'node:fs'
import { agentRules } from './agent-rules.ts'

writeFileSync('charts/relt/templates/_agent-rules.tpl', agentRules())
