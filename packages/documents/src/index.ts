export type { Chunk, ChunkOptions } from './chunking/chunk.ts'
export {
  type Attachment,
  type ChunkSource,
  DocumentError,
  defaultLimits,
  type Limits,
  type OnProgress,
  type ReadDocument,
  type Settings,
} from './document.ts'
export { type Format, isImage, mediaTypes, textFormatByName } from './media-types.ts'
export { findOcr } from './ocr/ocr.ts'
export { type PackedDocument, packDocument, unpackDocument } from './packed-document.ts'
export { createParser, type Parser } from './parser.ts'
export type { Passage, PassageModule } from './passage.ts'
export { createTokenCounter, type TokenCounter } from './tokens/token-counter.ts'
