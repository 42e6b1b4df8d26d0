import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { DocumentError } from '../document.ts'
import { enlarge, type PictureCore, withMemory } from './enlarge.ts'

const unzip = promisify(gunzip)
const require = createRequire(import.meta.url)

/** The part of tesseract.js-core that is used. */
interface Core extends PictureCore {
  FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void }
  TessBaseAPI: new () => Api
  _pixReadHeaderMem(bytes: number, size: number, ...results: number[]): number
}

interface Api {
  Init(folder: string, languages: string, mode: number): number
  SetPageSegMode(mode: number): void
  /** Reads the file `/input`. Returns 0, or 1 if that cannot be read. */
  SetImageFile(orientation: number, angle: number): number
  GetUTF8Text(): string
  /** How sure it is of the words, on average, 0 to 100. */
  MeanTextConf(): number
  Clear(): void
}

/** Larger pictures are rejected before they are decoded. */
const maxPixels = 60_000_000
/** Pictures of few pixels whose text is hard to read are read again at twice their size. */
const maxSmallPixels = 1_500_000
const withLstm = 1
/** Finds columns. By default, lines would go on from one column to the next. */
const automaticLayout = 3
/** The first is faster, but not every processor can run it. */
const builds = ['tesseract-core-simd-lstm', 'tesseract-core-lstm']

/** EXIF orientations by the rotation of a page in degrees. */
export const orientations: Record<number, number> = { 0: 1, 90: 6, 180: 3, 270: 8 }
/** With at least this confidence, other orientations are not tried. */
const goodConfidence = 60
/** With less confidence, the text of a small picture has mistakes that go away when it is larger. */
const surelyRight = 90
/** With less confidence, the result is noise of a picture without text. */
export const minConfidence = 40

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
  api.SetPageSegMode(automaticLayout)
  const readTurned = (orientation: number): Reading => {
    try {
      if (api.SetImageFile(orientation, 0) !== 0) throw unreadable()
      return { text: api.GetUTF8Text().trim(), confidence: api.MeanTextConf() }
    } finally {
      api.Clear()
    }
  }
  return {
    read(picture, orientation = 1) {
      const { width, height } = readSize(core, picture)
      if (width * height > maxPixels)
        throw new DocumentError('too_large', `The image has more than ${maxPixels / 1_000_000} million pixels.`)
      core.FS.writeFile('/input', picture)
      try {
        let best = readTurned(orientation)
        if (best.confidence < surelyRight && width * height <= maxSmallPixels) {
          const larger = enlarge(core, picture)
          if (larger) core.FS.writeFile('/input', larger)
          if (larger) best = moreConfident(best, readTurned(orientation))
        }
        if (best.text === '' || best.confidence >= goodConfidence) return best.text
        for (const other of Object.values(orientations))
          if (other !== orientation) best = moreConfident(best, readTurned(other))
        return best.confidence >= minConfidence ? best.text : ''
      } finally {
        core.FS.unlink('/input')
      }
    },
  }
}

interface Reading {
  text: string
  confidence: number
}

const moreConfident = (one: Reading, other: Reading): Reading =>
  other.text !== '' && other.confidence > one.confidence ? other : one

async function loadCore(folder: string): Promise<Core> {
  const silent = { print: () => {}, printErr: () => {} }
  const load = (build?: string) => (require(join(folder, `${build}.js`)) as (options: object) => Promise<Core>)(silent)
  return load(builds[0]).catch(() => load(builds[1]))
}

const unreadable = () => new DocumentError('broken', 'The image is damaged and cannot be read.')

function readSize(core: Core, picture: Uint8Array): { width: number; height: number } {
  return withMemory(core, picture, 6, (memory, results) => {
    if (core._pixReadHeaderMem(memory, picture.length, ...results) !== 0) throw unreadable()
    const [, width = 0, height = 0] = results.map((pointer) => core.getValue(pointer, 'i32'))
    return { width, height }
  })
}
