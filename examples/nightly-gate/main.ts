import { setTimeout } from 'node:timers/promises'
import { parley } from '../connect.ts'

// Runs an evaluation every night at three, and once now.
const evaluationName = process.env.EVALUATION ?? 'Brew One support, nightly' // of ../evaluation-gate
const [evaluation] = await parley.evaluations.list({ name: evaluationName }).all(1)
if (!evaluation) throw new Error(`There is no evaluation "${evaluationName}". Create it first, or set EVALUATION.`)

const name = `${evaluationName}: gate`
const [existing] = await parley.schedules.list({ name }).all(1)
const schedule =
  existing ??
  (await parley.schedules.create({
    name,
    cron: '0 3 * * *',
    timezone: 'Europe/Berlin',
    action: { type: 'evaluation', evaluation_id: evaluation.id },
    catch_up: 'last', // one run in the morning if the service was down at night
  }))
console.log(`Next run: ${schedule.next_run_at}`)

let run = await parley.schedules.run(schedule.id)
while (run.finished_at === null) {
  await setTimeout(200)
  run = (await parley.schedules.get(schedule.id)).last_run ?? run
}
console.log(`Run ${run.status}${run.error ? `: ${run.error}` : ''}`)
process.exitCode = run.status === 'succeeded' ? 0 : 1
