import { createLocalReranker, type LocalReranker } from '@parley/search/reranker'
import type { Logger } from 'pino'
import type { Config } from './config.ts'

/** Loads the local reranker in the background, so that the first search does not wait for it. */
export function openReranker({ rerankerModule }: Config, log: Logger): LocalReranker | null {
  if (rerankerModule === null) return null
  const reranker = createLocalReranker(rerankerModule)
  reranker.load().then(
    () => log.info({ model: reranker.name() }, 'the local reranker is loaded'),
    (error) => log.error({ err: error }, 'the local reranker cannot be loaded; searches keep their order without it'),
  )
  return reranker
}
