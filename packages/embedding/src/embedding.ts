import { createMiniLm, type MiniLm } from './minilm.ts'
import { createStaticModel, type StaticModel } from './static.ts'

/** The embedding models that come with the service. */
export interface Embedding {
  /** At once, in this thread, for a few short texts; it is read from the disk when it is first asked for. */
  static(): StaticModel
  /** In threads of its own. */
  miniLm: MiniLm
  close(): Promise<void>
}

export function createEmbedding(): Embedding {
  const miniLm = createMiniLm()
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
