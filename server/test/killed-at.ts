// The service in a process that kills itself at a named point: `killed-at.ts build 5` at the fifth document of a build.
import { createParley, createThreads } from '../src/app.ts'
import { testConfig } from './config.ts'

const [point = '', nth = ''] = process.argv.slice(2)
const threads = createThreads()
const { parser, embedding } = threads
let calls = 0

const killedAtCall =
  <A extends unknown[], R>(call: (...args: A) => R) =>
  (...args: A): R => {
    if (++calls === Number(nth)) process.kill(process.pid, 'SIGKILL')
    return call(...args)
  }

if (point === 'read') parser.parseDocument = killedAtCall(parser.parseDocument)
else if (point === 'build') parser.prepare = killedAtCall(parser.prepare)
else if (point === 'embed') embedding.miniLm.embedPassages = killedAtCall(embedding.miniLm.embedPassages)
else throw new Error(`There is no point "${point}".`)

const { DATA_DIR = '', ADMIN_TOKEN = '' } = process.env
const { app } = await createParley(testConfig({ DATA_DIR, ADMIN_TOKEN }), { threads })
process.stdout.write(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
