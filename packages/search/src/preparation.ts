import { createStaticModel, type StaticModel } from '@parley/embedding'
import { type AnalysedText, analysePassage } from './analysis/analyse.ts'
import { type Chunk, type Preparation, textToEmbed } from './search-index.ts'
import { encodeVector } from './vectors.ts'

type Passage = Pick<Chunk, 'headings' | 'text'>

export type { Preparation }

let model: StaticModel | undefined
/** Loaded on first use: a thread that only reads needs no model. */
export function embedStatic(text: string): Float32Array {
  model ??= createStaticModel()
  return model.embed(text)
}

/** Headings count double because they say what a passage is about. */
export const analyse = (passage: Passage, fallbackLanguage?: number): AnalysedText =>
  analysePassage([...passage.headings, textToEmbed(passage)].join('\n'), fallbackLanguage)

export const prepare = (passage: Passage): Preparation => prepareAfter(passage)

/** `fallbackLanguage` is the language of the passage before, for passages that are too short to tell their own. */
export const prepareAfter = (passage: Passage, fallbackLanguage?: number): Preparation => ({
  ...analyse(passage, fallbackLanguage),
  vector: encodeVector(embedStatic(textToEmbed(passage))),
})
