import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { giveWay, somebodyWaits } from './background-thread.ts'

const module = new URL('./background-thread.ts', import.meta.url).href
const code = `
  const { parentPort, workerData } = require('node:worker_threads')
  import(workerData).then(({ giveWay, yieldToOthers }) => {
    yieldToOthers()
    let pauses = 0
    for (const end = performance.now() + 200; performance.now() < end; ) {
      const before = performance.now()
      giveWay()
      if (performance.now() - before > 0.1) pauses++
    }
    parentPort.postMessage(pauses)
  })`

/** How many pauses a thread in the background makes in a fifth of a second of work. */
const pauses = () =>
  new Promise<number>((resolve, reject) =>
    new Worker(code, { eval: true, workerData: module }).once('message', resolve).once('error', reject),
  )

it('makes pauses in the background only while somebody waits', async () => {
  const timer = setInterval(somebodyWaits, 5)
  const disturbed = await pauses()
  clearInterval(timer)
  await expect.poll(pauses, { timeout: 10_000 }).toBeLessThan(disturbed / 4)
  expect(disturbed).toBeGreaterThan(40)
})

it('never holds up a thread that is not in the background', () => {
  somebodyWaits()
  const before = performance.now()
  for (let times = 0; times < 10_000; times++) giveWay()
  expect(performance.now() - before).toBeLessThan(500)
})
