import { lowerPriority, reportProgress, serve, threadData } from '@parley/threads'
import type { Chunk, ChunkOptions } from './chunking/chunk.ts'
import type { FileHints } from './detect.ts'
import type { ChunkSource, Limits, ReadDocument, Settings, Source } from './document.ts'
import { type PackedBlocks, packBlocks, unpackBlocks } from './packed-blocks.ts'
import { type PackedDocument, packDocument } from './packed-document.ts'
import { parseBytes } from './parse.ts'
import type { Passage, PassageModule } from './passage.ts'
import { readSource } from './read-source.ts'

export interface WorkerData {
  passageModule?: string
}

/** Passed to `onProgress` of a call to `parse`. */
export type PageProgress = [done: number, total: number]
const progressIntervalMs = 250

/** A document as it is passed between threads. */
type Packed<T extends ChunkSource> = Omit<T, 'blocks'> & { blocks?: PackedBlocks }

const methods = {
  async parse(source: Source, hints: FileHints, limits: Limits, settings: Settings): Promise<Packed<ReadDocument>> {
    let reportedAt = Number.NEGATIVE_INFINITY
    const onPage = (done: number, total: number) => {
      if (performance.now() - reportedAt < progressIntervalMs) return
      reportedAt = performance.now()
      reportProgress([done, total] satisfies PageProgress)
    }
    const document = await parseBytes(await readSource(source, limits), hints, limits, settings, onPage)
    const { blocks, ...rest } = document
    return { ...rest, ...(blocks && { blocks: packBlocks(blocks) }), packed: packDocument(document) }
  },

  async pack(
    source: Source,
    hints: FileHints,
    limits: Limits,
  ): Promise<PackedDocument & Pick<ReadDocument, 'blankPages'>> {
    const document = await parseBytes(await readSource(source, limits), hints, limits)
    const { blankPages } = document
    return { ...(await methods.packRead(document)), ...(blankPages && { blankPages }) }
  },

  async packRead(document: ReadDocument): Promise<PackedDocument> {
    const { countTokens } = await import('./tokens/tokens.ts')
    const { mediaType, pages, text } = document
    return { mediaType, pages: pages.length, tokens: countTokens(text), packed: packDocument(document) }
  },

  async chunk({ blocks, ...document }: Packed<ChunkSource>, options: ChunkOptions): Promise<Chunk[]> {
    const { chunkDocument } = await import('./chunking/chunk.ts')
    return chunkDocument({ ...document, ...(blocks && { blocks: unpackBlocks(blocks) }) }, options)
  },

  async prepare(passages: Passage[]): Promise<unknown[]> {
    const { prepare }: PassageModule = await import((threadData() as WorkerData).passageModule ?? '')
    return passages.map((passage) => prepare(passage))
  },
}

export type ParserMethods = typeof methods

lowerPriority()
void serve(methods)
