import { noun } from '../../program/verb.ts'
import compare from './compare.ts'
import remove from './delete.ts'
import freshness from './freshness.ts'
import html from './html.ts'
import list from './list.ts'
import show from './show.ts'
import trends from './trends.ts'
import upload from './upload.ts'

export default noun({
  examples: ['relt reports upload report.json --compare', 'relt reports freshness'],
  verbs: [upload, list, show, compare, trends, freshness, html, remove],
})
