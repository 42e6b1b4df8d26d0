import { isUtf8 } from 'node:buffer'
import { open, stat } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import type { Preparation } from '@parley/search/preparation'
import { lowerPriority } from '@parley/threads'
import { reason } from '../../../server/src/kernel/errors.ts'
import type { Chunk, ChunkOptions, ChunkSource } from './chunking/chunk.ts'
import { type Detected, detectFormat, type Named } from './detect.ts'
import { DocumentError, type FailureCode, type Limits, ScanError } from './document.ts'
import { type PackedBlocks, packBlocks, unpackBlocks } from './packed-blocks.ts'
import { packDocument } from './packed-document.ts'
import { parseBytes, type ReadDocument } from './parse.ts'

/** A path, or the file itself. */
export type Source = string | Uint8Array

interface ReadTask {
  source: Source
  named: Named
  limits: Limits
}

export interface Passage {
  headings: string[]
  text: string
}

/** A document as it goes from thread to thread. */
export type Packed<T extends ChunkSource> = Omit<T, 'blocks'> & { blocks?: PackedBlocks }

export interface Tasks {
  parse: ReadTask
  detect: ReadTask
  chunk: { document: Packed<ChunkSource>; options: ChunkOptions }
  prepare: { passages: Passage[] }
}

export interface Results {
  parse: Packed<ReadDocument>
  detect: Detected
  chunk: Chunk[]
  prepare: Preparation[]
}

export type Kind = keyof Tasks

type Request = { [K in Kind]: { kind: K; task: Tasks[K] } }[Kind]

export interface Failure {
  code: FailureCode
  message: string
  /** Of a scan. */
  pages?: number
}

export type Answer<K extends Kind = Kind> = { result: Results[K] } | { failure: Failure }

if (parentPort) lowerPriority()

parentPort?.on('message', async (request: Request) => {
  parentPort?.postMessage(await answer(request))
})

async function answer(request: Request): Promise<Answer> {
  try {
    return { result: await perform(request) }
  } catch (error) {
    const pages = error instanceof ScanError ? { pages: error.pages } : {}
    const code = error instanceof DocumentError ? error.code : 'broken'
    return { failure: { code, message: reason(error), ...pages } }
  }
}

async function perform({ kind, task }: Request): Promise<Results[Kind]> {
  if (kind === 'chunk') {
    const { chunkDocument } = await import('./chunking/chunk.ts')
    const { blocks, ...document } = task.document
    return chunkDocument({ ...document, ...(blocks && { blocks: unpackBlocks(blocks) }) }, task.options)
  }
  if (kind === 'prepare') {
    const { prepare } = await import('@parley/search/preparation')
    return task.passages.map(prepare)
  }
  const { source, named, limits } = task
  if (kind === 'detect') return detectFormat(await readToTell(source, limits), named, limits)
  const bytes = typeof source === 'string' ? await readBounded(source, limits) : source
  const { blocks, ...document } = await parseBytes(bytes, named, limits)
  const packed = packDocument({ ...document, ...(blocks && { blocks }) })
  return { ...document, ...(blocks && { blocks: packBlocks(blocks) }), packed }
}

/** Of a long text the beginning tells what it is; a container must be seen whole. */
async function readToTell(source: string | Uint8Array, limits: Limits): Promise<Uint8Array> {
  if (typeof source !== 'string') return source
  const size = await boundedSize(source, limits)
  if (size <= enoughToTell) return readBounded(source, limits)
  const file = await open(source)
  try {
    const { buffer } = await file.read(new Uint8Array(enoughToTell), 0, enoughToTell, 0)
    return isContainer(buffer) ? readBounded(source, limits) : withoutBrokenEnd(buffer)
  } finally {
    await file.close()
  }
}

const enoughToTell = 1024 * 1024
const isContainer = ([first, second]: Uint8Array): boolean =>
  (first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf)

/** The cut may have gone through a character. */
function withoutBrokenEnd(bytes: Uint8Array): Uint8Array {
  for (let less = 0; less < 4; less++) {
    const part = bytes.subarray(0, bytes.length - less)
    if (isUtf8(part)) return part
  }
  return bytes
}

async function boundedSize(path: string, { fileBytes }: Limits): Promise<number> {
  const { size } = await stat(path).catch(() => {
    throw new DocumentError('broken', 'The stored file is missing.')
  })
  if (size > fileBytes) {
    throw new DocumentError('too_large', `The file is larger than ${Math.floor(fileBytes / 1024 / 1024)} MB.`)
  }
  return size
}

async function readBounded(path: string, limits: Limits): Promise<Uint8Array> {
  const bytes = new Uint8Array(await boundedSize(path, limits))
  const file = await open(path)
  try {
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
