import { test } from 'vitest'
import { answerGenerated } from './generated.ts'

test('whatever is asked, the server answers and stays', () => answerGenerated(1500))
