#!/usr/bin/env node
import { existsSync } from 'node:fs'

// npm links the programs of workspaces, so that "npx parley" in a checkout runs its sources. The package has the bundle instead.
const isCheckout = existsSync(new URL('../src/main.ts', import.meta.url))
const [major] = process.versions.node.split('.').map(Number)
if (isCheckout) await import('../../bin/parley.js')
else if (major >= 24) await import('../dist/main.js')
else {
  process.stderr.write(`The command line of Parley requires Node 24 or newer; this is ${process.version}.\n`)
  process.exit(1)
}
