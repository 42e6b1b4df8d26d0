import { parentPort } from 'node:worker_threads'
import { countTokens } from './tokens.ts'

parentPort?.on('message', (question: 'end' | { id: number; texts: string[] }) => {
  if (question === 'end') parentPort?.close()
  else parentPort?.postMessage({ id: question.id, answer: question.texts.map(countTokens) })
})
