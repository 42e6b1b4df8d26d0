import { createStaticModel, type StaticModel } from '@parley/embedding'
import { type AnalysedText, analysePassage } from './analysis/analyse.ts'
import { unknownLanguage } from './analysis/languages.ts'
import { type Chunk, type NewChunk, type Preparation, textToEmbed } from './search-index.ts'
import { encodeVector } from './vectors.ts'
import { forEachYielding } from './yielding.ts'

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

export interface PreparedChunk extends Preparation {
  chunk: Chunk
}

/** Prepares chunks in the order of their text. `lastLanguage` is the language of the chunk before the first one. */
export async function prepareAll(chunks: readonly NewChunk[], lastLanguage: number): Promise<PreparedChunk[]> {
  let language = lastLanguage
  const result: PreparedChunk[] = []
  await forEachYielding(chunks, ({ prepared, ...chunk }) => {
    const made = { ...(prepared ?? prepareAfter(chunk, language)) }
    // A chunk that was prepared elsewhere does not know the language of the chunk before.
    if (made.language === unknownLanguage && language !== unknownLanguage) {
      Object.assign(made, analyse(chunk, language))
    }
    language = made.language
    result.push({ chunk, ...made })
  })
  return result
}
