/** The models that come with the service. */
export const miniLmModel = { id: 'all-minilm-l6-v2', dimensions: 384 } as const

/** Trained to give the similarities that MiniLM gives, from the tokens alone. */
export const staticModel = {
  id: 'parley-static-256',
  dimensions: 256,
  longestText: 256,
  imitates: miniLmModel.id,
} as const
