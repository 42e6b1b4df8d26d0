/** A question and a passage that may answer it. */
export interface Pair {
  query: string
  passage: string
}

/** What the module of a local reranker exports. It may load its model with a top-level `await`. */
export interface RerankerModule {
  /** The name of the model, shown in traces. */
  name?: string
  /** One finite number for each pair, in their order: the higher, the better the passage answers the query. */
  score(pairs: readonly Pair[]): ArrayLike<number> | Promise<ArrayLike<number>>
  /** Frees the model. */
  close?(): unknown
}
