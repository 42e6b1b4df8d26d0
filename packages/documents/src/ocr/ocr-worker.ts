import { lowerPriority, serve } from '@parley/threads'
import { getDocumentProxy } from 'unpdf'
import { DocumentError, damaged, isOutOfMemory, type Limits, OutOfMemory, type Source } from '../document.ts'
import { checkStructure } from '../pdf-structure.ts'
import { readSource } from '../read-source.ts'
import { type Engine, orientations, startEngine } from './engine.ts'
import type { OcrPackages } from './packages.ts'
import { type Pdf, pageImages } from './page-images.ts'

const maxPixels = 60_000_000

let engine: { key: string; started: Promise<Engine> } | undefined

function openEngine({ core, data }: OcrPackages): Promise<Engine> {
  const key = JSON.stringify([core, data])
  if (engine?.key !== key) engine = { key, started: startEngine(core, data) }
  return engine.started
}

let opened: { document: string; pdf: Pdf } | undefined

async function openPdf(document: string, source: Source, limits: Limits): Promise<Pdf> {
  if (opened?.document === document) return opened.pdf
  await opened?.pdf.loadingTask.destroy()
  opened = undefined
  const bytes = await readSource(source, limits)
  checkStructure(bytes, limits.pages)
  const pdf = await getDocumentProxy(bytes, { verbosity: 0, maxImageSize: maxPixels })
  opened = { document, pdf }
  return pdf
}

async function recognize(picture: Uint8Array, packages: OcrPackages, orientation?: number): Promise<string> {
  try {
    return (await openEngine(packages)).read(picture, orientation)
  } catch (error) {
    if (error instanceof DocumentError) throw error
    engine = undefined // a crashed engine cannot be used again
    throw isOutOfMemory(error) ? new OutOfMemory() : damaged('image', error)
  }
}

const methods = {
  async image(source: Source, packages: OcrPackages, limits: Limits): Promise<string> {
    return recognize(await readSource(source, limits), packages)
  },

  /** The text in the pictures on a page of a PDF. Calls for the same `document` share the opened PDF. */
  async page(document: string, source: Source, number: number, packages: OcrPackages, limits: Limits): Promise<string> {
    const { pictures, rotate } = await pageImages(await openPdf(document, source, limits), number)
    const texts: string[] = []
    for (const picture of pictures) texts.push(await recognize(picture, packages, orientations[rotate]))
    return texts.filter((text) => text !== '').join('\n\n')
  },
}

export type OcrMethods = typeof methods

lowerPriority()
void serve(methods)
