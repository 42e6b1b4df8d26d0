import { createMiniLm, type MiniLm, type MiniLmOptions } from './minilm.ts'
import { createStaticModel, type StaticModel } from './static-model.ts'

/** Both models. Each is loaded when it is first used. */
export interface Embedding {
  /** Runs in the calling thread. */
  static(): StaticModel
  /** Runs in worker threads. */
  miniLm: MiniLm
  close(): Promise<void>
}

export function createEmbedding(options: Pick<MiniLmOptions, 'knownVectors'> = {}): Embedding {
  const miniLm = createMiniLm(options)
  let model: StaticModel | undefined
  return {
    static: () => {
      model ??= createStaticModel()
      return model
    },
    miniLm,
    close: () => miniLm.close(),
  }
}
