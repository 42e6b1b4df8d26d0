#!/usr/bin/env node
// Plain JavaScript, so that an old Node can still say what is wrong.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(
    `Parley needs Node 24 or newer and this is ${process.version}. On Linux "npm install" brings one; elsewhere install it first.`,
  )
  process.exit(1)
}
await import('../server/src/main.ts')
