export * from './answering-thread.ts'
export * from './background-thread.ts'
export * from './thread.ts'
