import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread that runs a module. It begins in plain JavaScript, which turns the cache of compiled code on: otherwise
 * each thread would load the reader of TypeScript again, for 10 MB and the time of half a start.
 */
export const startThread = (module: URL, options: WorkerOptions = {}): Worker =>
  new Worker(new URL('./thread-start.js', import.meta.url), { ...options, argv: [module.href] })
