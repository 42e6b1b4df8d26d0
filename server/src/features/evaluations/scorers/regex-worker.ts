import { parentPort } from 'node:worker_threads'

export interface Question {
  pattern: string
  flags: string
  text: string
}

parentPort?.on('message', ({ pattern, flags, text }: Question) => {
  parentPort?.postMessage(new RegExp(pattern, flags).test(text))
})
parentPort?.postMessage('ready')
