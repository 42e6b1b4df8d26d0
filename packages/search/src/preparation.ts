import { createStaticModel, type StaticModel } from '@parley/embedding'
import { type Analysed, analysePassage } from './analyse.ts'
import { type Chunk, headedText } from './search.ts'
import { encodeVector } from './vector-set.ts'

type Passage = Pick<Chunk, 'headings' | 'text'>

/** All that an index wants to know of a passage besides the passage itself. */
export interface Preparation extends Analysed {
  vector: Uint8Array
}

let loaded: StaticModel | undefined
/** An engine that is only asked how it is does without it. */
export function quickModel(): StaticModel {
  loaded ??= createStaticModel()
  return loaded
}

/** `fallback` is the language of the passage before, where that is known. */
export const analyse = (passage: Passage, fallback?: number): Analysed =>
  // Headings say what a passage is about, so their words count twice.
  analysePassage([...passage.headings, headedText(passage)].join('\n'), fallback)

export const prepare = (passage: Passage, fallback?: number): Preparation => ({
  ...analyse(passage, fallback),
  vector: encodeVector(quickModel().embed(headedText(passage))),
})
