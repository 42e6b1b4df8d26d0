export { detachSubstring } from './detach-substring.ts'
export { createEmbedding, type Embedding } from './embedding.ts'
export { createMiniLm, type MiniLm } from './minilm.ts'
export { miniLmModel, staticModel } from './models.ts'
