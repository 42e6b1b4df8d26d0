export interface Passage {
  headings: string[]
  text: string
}

/** A module that the parser's threads load to prepare passages, for example to analyse them for a search index. */
export interface PassageModule<Prepared = unknown> {
  prepare(passage: Passage): Prepared
}
