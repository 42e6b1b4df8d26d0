#!/usr/bin/env node
import module from 'node:module'

// Plain JavaScript, so that old versions of Node can print this error.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  process.stderr.write(
    `Parley requires Node 24 or newer; this is ${process.version}. On Linux, "npm install" installs it. On other systems, install it first.\n`,
  )
  process.exit(1)
}
module.enableCompileCache()
// Without a command it is the server, which loads nothing of the command line.
if (process.argv.length === 2) await import('../server/src/main.ts')
else await import('../cli/src/main.ts')
