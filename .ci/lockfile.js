// npm run lockfile: updates package-lock.json and removes the `engines` of dependencies from it.
// npm compares them with the system's Node and warns, although `npm start` and `npm test` use the Node 24 that the
// installation brings. Other npm warnings stay visible.
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../package-lock.json', import.meta.url)
const lockfile = JSON.parse(readFileSync(file, 'utf8'))
for (const [path, entry] of Object.entries(lockfile.packages)) {
  if (path.includes('node_modules/')) delete entry.engines
}
writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`)
