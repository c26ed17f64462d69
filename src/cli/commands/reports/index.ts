import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as compare from './compare.ts'
import * as remove from './delete.ts'
import * as freshness from './freshness.ts'
import * as html from './html.ts'
import * as list from './list.ts'
import * as show from './show.ts'
import * as trends from './trends.ts'
import * as upload from './upload.ts'

export function createReportsCommand(context: Context): Command {
  const command = newNoun('reports', ['relt reports upload report.json --compare', 'relt reports freshness'])
  for (const verb of [upload, list, show, compare, trends, freshness, html, remove]) {
    command.addCommand(verb.createCommand(context))
  }
  return command
}
