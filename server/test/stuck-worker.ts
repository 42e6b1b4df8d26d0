// A process that starts a job and never finishes it. The test kills it.
import { createParley } from '../src/app.ts'
import { features } from '../src/features/index.ts'
import { testConfig } from './config.ts'

const environment = Object.fromEntries(
  ['DATA_DIR', 'DATABASE_URL', 'ADMIN_TOKEN'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
)
const stuck = {
  name: 'stuck',
  jobs: (ctx: Awaited<ReturnType<typeof createParley>>['ctx']) =>
    ctx.jobs.define({
      queue: 'stuck',
      run: (job) => {
        process.stdout.write(`started ${job.id}\n`)
        return new Promise(() => {})
      },
    }),
}
const { ctx } = await createParley(testConfig(environment), { features: [...features, stuck] })
await ctx.db.transaction().execute((tx) => ctx.jobs.enqueue(tx, 'stuck', { workspace: null }))
