import { createRequire } from 'node:module'
import { createMiniLm } from '@parley/embedding'

/** Loads the packages that are named as arguments, as the service does, and waits to be ended. */
const load = createRequire(import.meta.url)

const asTheService: Record<string, () => Promise<void> | void> = {
  'better-sqlite3': () => new (load('better-sqlite3'))(':memory:').exec('select 1'),
  async 'onnxruntime-node'() {
    const model = createMiniLm()
    await model.embedQuery('One thread loads the model,')
    await model.embedPassages(['and so does another.'])
  },
}

for (const name of process.argv.slice(2)) {
  if (asTheService[name]) await asTheService[name]()
  else load(name)
}
process.stdout.write('loaded\n')
process.stdin.resume().once('end', () => process.exit(0))
