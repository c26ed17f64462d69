import { describe, expect, test } from 'vitest'
import { findNotice } from '../../../scripts/catalog/candidates/ended.ts'

const read = (text: string) =>
  findNotice(`# shop-operator\n\nRuns shops.\n\n${text}\n`, ['shop-operator', 'Shop Operator'])

describe('a README that ends its project', () => {
  test.each([
    ['This project is deprecated.', 'retired'],
    ['**DEPRECATED**', 'retired'],
    ['> **THIS REPOSITORY IS NO LONGER MAINTAINED.**', 'retired'],
    ['## [EOL] Shop Operator', 'retired'],
    ['# Shop Operator (archived)', 'archived'],
    ['### Project status: archived', 'archived'],
    ['## :warning: Deprecation and Archive Notice', 'retired'],
    ['Shop Operator v1 has reached **end of life**.', 'retired'],
    ['The shop-operator has been discontinued, please use [Mall](https://example.com).', 'retired'],
    ['This repository has been archived by its owner.', 'archived'],
    ['**NOTE**: this repository has moved to [another place](https://example.com).', 'superseded'],
    ['Shop Operator has been replaced by Mall.', 'superseded'],
    ['The shop operator is in maintenance mode.', 'maintenance'],
    ['As of 2023, Shop Operator is no longer actively maintained.', 'retired'],
    ['ACME has ended active development of this project, this repository will no longer be updated.', 'retired'],
    ['# Shop Operator Retirement', 'retired'],
  ])('%s', (text, state) => {
    expect(read(text)).toMatchObject({ state })
  })

  test('is cited by the line and the deciding words alone', () => {
    expect(read('This project is deprecated since a long time.')).toEqual({
      line: 5,
      state: 'retired',
      evidence: 'deprecated',
    })
  })
})

describe('a README that ends something else', () => {
  test.each([
    'This project is not deprecated.',
    'The project is not yet archived.',
    'In this project, deprecated flags were removed.',
    'The `replicas` field of this project is deprecated.',
    'This project has an old API, which is deprecated.',
    '## Deprecated features',
    '## Deprecation policy',
    'The documentation of this project has moved to https://example.com.',
    'The Slack channel of the project has moved to another workspace.',
    'If this project is archived, fork it.',
    'Helm 2 is no longer supported.',
    'Kubernetes 1.16 has reached end of life.',
    'The old version of this chart is deprecated.',
    'Support for the old API of this operator is discontinued.',
    'The operator deletes archived orders.',
    'The tool detects deprecated charts.',
    '```\nThis project is deprecated.\n```',
    '<!-- This project is deprecated. -->',
  ])('%s', (text) => {
    expect(read(text)).toBeUndefined()
  })

  test('is not read past its first lines', () => {
    expect(read(`${'Words.\n\n'.repeat(40)}This project is deprecated.`)).toBeUndefined()
  })
})
