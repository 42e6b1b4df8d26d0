#!/usr/bin/env node
import module from 'node:module'

// Plain JavaScript, so that an old Node can still say what is wrong.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  process.stderr.write(
    `Parley needs Node 24 or newer and this is ${process.version}. On Linux "npm install" brings one; elsewhere install it first.\n`,
  )
  process.exit(1)
}
module.enableCompileCache()
await import('../server/src/main.ts')
