import * as z from 'zod/mini'
import { teamRoles } from './choices.ts'

export const TeamRole = z.enum(teamRoles)
export type TeamRole = z.infer<typeof TeamRole>
