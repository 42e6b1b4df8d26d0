import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { DocumentError } from '../document.ts'

const unzip = promisify(gunzip)
const require = createRequire(import.meta.url)

/** The part of tesseract.js-core that is used. */
interface Core {
  FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void }
  TessBaseAPI: new () => Api
  _malloc(size: number): number
  _free(pointer: number): void
  _pixReadHeaderMem(bytes: number, size: number, ...results: number[]): number
  setValue(pointer: number, value: number, type: 'i32'): void
  getValue(pointer: number, type: 'i32'): number
}

interface Api {
  Init(folder: string, languages: string, mode: number): number
  /** Reads the file `/input`. Returns 0, or 1 if that cannot be read. */
  SetImageFile(orientation: number, angle: number): number
  GetUTF8Text(): string
  /** How sure it is of the words, on average, 0 to 100. */
  MeanTextConf(): number
  Clear(): void
}

/** Larger pictures are rejected before they are decoded. */
const maxPixels = 60_000_000
const withLstm = 1
/** The first is faster, but not every processor can run it. */
const builds = ['tesseract-core-simd-lstm', 'tesseract-core-lstm']

/** EXIF orientations by the rotation of a page in degrees. */
export const orientations: Record<number, number> = { 0: 1, 90: 6, 180: 3, 270: 8 }
/** With at least this confidence, other orientations are not tried. */
const goodConfidence = 60
/** With less confidence, the result is noise of a picture without text. */
const minConfidence = 40

export interface Engine {
  /** The text of a PNG, JPEG, WebP, GIF, BMP, TIFF or PNM. */
  read(picture: Uint8Array, orientation?: number): string
}

/** Starts tesseract, which takes about 300 ms. */
export async function startEngine(folder: string, data: Record<string, string>): Promise<Engine> {
  const core = await loadCore(folder)
  for (const [language, path] of Object.entries(data))
    core.FS.writeFile(`/${language}.traineddata`, await unzip(await readFile(path)))
  const api = new core.TessBaseAPI()
  const languages = Object.keys(data).join('+')
  if (api.Init('/', languages, withLstm) !== 0)
    throw new DocumentError('broken', `The language data of OCR (${languages}) cannot be read.`)
  const readTurned = (orientation: number) => {
    try {
      if (api.SetImageFile(orientation, 0) !== 0) throw unreadable()
      return { text: api.GetUTF8Text().trim(), confidence: api.MeanTextConf() }
    } finally {
      api.Clear()
    }
  }
  return {
    read(picture, orientation = 1) {
      const { width, height } = sizeOf(core, picture)
      if (width * height > maxPixels)
        throw new DocumentError('too_large', `The image has more than ${maxPixels / 1_000_000} million pixels.`)
      core.FS.writeFile('/input', picture)
      try {
        let best = readTurned(orientation)
        if (best.text === '' || best.confidence >= goodConfidence) return best.text
        for (const other of Object.values(orientations)) {
          const turned = other === orientation ? best : readTurned(other)
          if (turned.text !== '' && turned.confidence > best.confidence) best = turned
        }
        return best.confidence >= minConfidence ? best.text : ''
      } finally {
        core.FS.unlink('/input')
      }
    },
  }
}

async function loadCore(folder: string): Promise<Core> {
  const silent = { print: () => {}, printErr: () => {} }
  const load = (build?: string) => (require(join(folder, `${build}.js`)) as (options: object) => Promise<Core>)(silent)
  return load(builds[0]).catch(() => load(builds[1]))
}

const unreadable = () => new DocumentError('broken', 'The image is damaged and cannot be read.')

function sizeOf(core: Core, picture: Uint8Array): { width: number; height: number } {
  const words = new DataView(picture.buffer, picture.byteOffset, picture.byteLength)
  const padded = Math.ceil(picture.length / 4) * 4
  const results = [0, 1, 2, 3, 4, 5].map((index) => padded + 4 * index)
  const memory = core._malloc(padded + 4 * results.length)
  if (memory === 0) throw unreadable()
  try {
    for (let at = 0; at + 4 <= picture.length; at += 4) core.setValue(memory + at, words.getInt32(at, true), 'i32')
    const rest = picture.length % 4
    if (rest > 0) {
      const last = Buffer.alloc(4)
      last.set(picture.subarray(-rest))
      core.setValue(memory + picture.length - rest, last.readInt32LE(), 'i32')
    }
    const pointers = results.map((offset) => memory + offset)
    if (core._pixReadHeaderMem(memory, picture.length, ...pointers) !== 0) throw unreadable()
    const [, width = 0, height = 0] = pointers.map((pointer) => core.getValue(pointer, 'i32'))
    return { width, height }
  } finally {
    core._free(memory)
  }
}
