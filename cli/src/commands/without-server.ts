import type * as server from './server.ts'

/** Stands for server.ts in the package, which is a client only. */
export const serviceCommands: typeof server.serviceCommands = []
export const dataCommands: typeof server.dataCommands = []
export const inspectMachine: typeof server.inspectMachine = async () => []
