import { enableCompileCache } from 'node:module'

enableCompileCache()
await import(process.argv[2])
