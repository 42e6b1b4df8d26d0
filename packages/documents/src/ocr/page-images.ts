import { type getDocumentProxy, getResolvedPDFJS } from 'unpdf'

export type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

/** A picture as pdf.js decodes it. */
interface Picture {
  width: number
  height: number
  data: Uint8Array
}

const maxPictures = 50
/** Smaller ones are lines, dots and logos. */
const minSide = 32

/** The pictures on a page, as files in the PNM format. */
export async function pageImages(pdf: Pdf, number: number): Promise<{ pictures: Uint8Array[]; rotate: number }> {
  const page = await pdf.getPage(number)
  const { OPS } = await getResolvedPDFJS()
  const { fnArray, argsArray } = await page.getOperatorList()
  const pictures: Uint8Array[] = []
  const seen = new Set<string>()
  for (let at = 0; at < fnArray.length && pictures.length < maxPictures; at++) {
    const isPicture = [OPS.paintImageXObject, OPS.paintInlineImageXObject, OPS.paintImageMaskXObject].includes(
      fnArray[at] ?? -1,
    )
    if (!isPicture) continue
    const operand: unknown = argsArray[at]?.[0]
    const name = typeof operand === 'string' ? operand : dataName(operand)
    if (name !== undefined && seen.has(name)) continue
    if (name !== undefined) seen.add(name)
    const found = name === undefined ? operand : await loadObject(page, name)
    if (isUsable(found)) pictures.push(toPnm(found))
  }
  page.cleanup()
  return { pictures, rotate: page.rotate }
}

/** A mask may be given by the name of its data. */
function dataName(operand: unknown): string | undefined {
  const data = typeof operand === 'object' && operand !== null ? Reflect.get(operand, 'data') : undefined
  return typeof data === 'string' ? data : undefined
}

const loadObject = (page: Awaited<ReturnType<Pdf['getPage']>>, name: string): Promise<unknown> =>
  new Promise((resolve) => (name.startsWith('g_') ? page.commonObjs : page.objs).get(name, resolve))

function isUsable(found: unknown): found is Picture {
  if (typeof found !== 'object' || found === null) return false
  const { width, height, data } = found as Partial<Record<keyof Picture, unknown>>
  if (!(data instanceof Uint8Array || data instanceof Uint8ClampedArray)) return false
  if (typeof width !== 'number' || typeof height !== 'number' || width < minSide || height < minSide) return false
  const pixels = width * height
  return [pixels, pixels * 3, pixels * 4, Math.ceil(width / 8) * height].includes(data.length)
}

/** One byte for each pixel, or one bit. In PNM, a bit that is set is black. */
function toPnm({ width, height, data }: Picture): Uint8Array {
  const pixels = width * height
  const head = (kind: string) => Buffer.from(`${kind} ${width} ${height}${kind === 'P4' ? '' : ' 255'}\n`)
  if (data.length < pixels) return Buffer.concat([head('P4'), data.map((byte) => ~byte)])
  if (data.length === pixels) return Buffer.concat([head('P5'), data])
  const step = data.length / pixels
  const grey = new Uint8Array(pixels)
  for (let at = 0, from = 0; at < pixels; at++, from += step) {
    const light = ((data[from] ?? 0) * 77 + (data[from + 1] ?? 0) * 150 + (data[from + 2] ?? 0) * 29) >> 8
    const opacity = step === 4 ? (data[from + 3] ?? 0) : 255
    grey[at] = opacity === 255 ? light : 255 - ((255 - light) * opacity) / 255
  }
  return Buffer.concat([head('P5'), grey])
}
