import { test } from 'vitest'
import { answerGenerated } from '../server/generated.ts'

test('20,000 requests of every kind get an answer of the contract', () => answerGenerated(20_000))
