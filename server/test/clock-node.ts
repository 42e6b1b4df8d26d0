// A node of a cluster whose clock is set by its input: each line is a time in milliseconds, from which the clock goes on.
import { createInterface } from 'node:readline'
import { createParley } from '../src/app.ts'
import { testConfig } from './config.ts'

let ahead = Number(process.argv[2]) - Date.now()
createInterface({ input: process.stdin }).on('line', (time) => {
  ahead = Number(time) - Date.now()
})

const { DATA_DIR = '', ADMIN_TOKEN = '', DATABASE_URL = '' } = process.env
const { app } = await createParley(testConfig({ DATA_DIR, ADMIN_TOKEN, DATABASE_URL }), {
  now: () => Date.now() + ahead,
})
process.stdout.write(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
