export * from './crawl.ts'
