export const miniLmModel = { id: 'all-minilm-l6-v2', dimensions: 384 } as const

/** Trained on MiniLM's similarities, so its nearest texts approximate MiniLM's. */
export const staticModel = {
  id: 'parley-static-256',
  dimensions: 256,
  maxTokens: 256,
  imitates: miniLmModel.id,
} as const
