import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, aroundEach, expect } from 'vitest'
import { takeFailureNotes } from '../server/test/failure-notes.ts'
import { takeServiceLog } from '../server/test/service-log.ts'
import { currentResources, leftovers, type Resources, useOwnTemporaryFolder } from './leftovers.ts'

/** A killed process or a closed server needs a moment to end. */
const maxChecks = 600

// The same for every run, so that a test that found nothing yesterday finds nothing today; test:again tries others.
const seed = Number(process.env.PARLEY_TEST_SEED ?? 1)
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })

useOwnTemporaryFolder()
const beforeFile = currentResources()

aroundEach(async (runTest, { task }) => {
  const before = currentResources()
  takeServiceLog()
  takeFailureNotes()
  await runTest()
  if (task.result?.state === 'fail') throw new Explanation(explain(task.name))
  await expectNothingLeft(before)
})

afterAll(() => expectNothingLeft(beforeFile))

class Explanation extends Error {
  override name = 'What else is known'
  override stack = ''
}

function explain(test: string): string {
  const log = takeServiceLog()
  return [
    ...takeFailureNotes(),
    ...(log === '' ? [] : [`The log of the service:\n${log}`]),
    `Run it again: PARLEY_TEST_SEED=${seed} npx vitest run ${expect.getState().testPath} -t ${JSON.stringify(test)}`,
  ].join('\n')
}

async function expectNothingLeft(before: Resources): Promise<void> {
  let left = leftovers(before)
  for (let check = 0; left.length > 0 && check < maxChecks; check++) {
    await wait(50)
    left = leftovers(before)
  }
  if (left.length > 0) throw new Error(`The test has left behind ${left.join(', ')}.`)
}
