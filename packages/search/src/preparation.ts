import { createStaticModel, type StaticModel } from '@parley/embedding'
import { type AnalysedText, analysePassage } from './analysis/analyse.ts'
import { countLanguage, guessByLetters, type LanguageCounts, mostUsed, unknownLanguage } from './analysis/languages.ts'
import { type Chunk, type NewChunk, type Preparation, textToEmbed } from './search-index.ts'
import { encodeVector } from './vectors.ts'
import { forEachYielding } from './yielding.ts'

type Passage = Pick<Chunk, 'headings' | 'text'>

export type { Preparation }

let model: StaticModel | undefined
/** Loaded on first use: a thread that only reads needs no model. */
const staticModel = (): StaticModel => {
  model ??= createStaticModel()
  return model
}
export const embedStatic = (text: string): Float32Array => staticModel().embed(text)
/** How well the built-in models know the language of a text, from almost 0 to 1. */
export const familiarity = (text: string): number => staticModel().familiarity(text)

/** Headings count double because they say what a passage is about. */
export const analyse = (passage: Passage, fallbackLanguage?: number): AnalysedText =>
  analysePassage([...passage.headings, textToEmbed(passage)].join('\n'), fallbackLanguage)

/** Prepares a passage on its own. `prepareAll` fills in the language of its document if it has none. */
export const prepare = (passage: Passage): Preparation => ({
  ...analyse(passage),
  vector: encodeVector(embedStatic(textToEmbed(passage))),
})

export interface PreparedChunk extends Preparation {
  chunk: Chunk
}

/** Prepares chunks for an index whose passages have these languages. */
export async function prepareAll(
  chunks: readonly NewChunk[],
  languages: Readonly<LanguageCounts>,
): Promise<PreparedChunk[]> {
  const result: PreparedChunk[] = []
  await forEachYielding(chunks, ({ prepared, ...chunk }) => {
    result.push({ chunk, ...(prepared ?? prepare(chunk)) })
  })
  const analysed = await inLanguages(chunks, result, [...languages])
  return result.map((made, at) => ({ ...made, ...analysed[at] }))
}

/**
 * Analyses passages of unknown language again, in the main language of their document, or else of the index. Adds the
 * languages of all passages to `counts`.
 */
export async function inLanguages<Analysed extends AnalysedText>(
  passages: readonly (Passage & Pick<Chunk, 'documentId'>)[],
  analysed: readonly Analysed[],
  counts: LanguageCounts,
): Promise<AnalysedText[]> {
  const documents = new Map<string, LanguageCounts>()
  passages.forEach(({ documentId }, at) => {
    const known = documents.get(documentId) ?? []
    documents.set(documentId, known)
    const { language } = analysed[at] as Analysed
    countLanguage(known, language)
    countLanguage(counts, language)
  })
  const result: AnalysedText[] = []
  await forEachYielding(passages, (passage) => {
    const own = analysed[result.length] as Analysed
    const language =
      own.language !== unknownLanguage
        ? own.language
        : (mostUsed(documents.get(passage.documentId) ?? []) ?? mostUsed(counts) ?? guessByLetters(passage.text))
    result.push(language === own.language ? own : analyse(passage, language))
  })
  return result
}
