import { type getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import { isOutOfMemory, OutOfMemory } from '../document.ts'

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>
type Matrix = [number, number, number, number]

const minShare = 0.5
const identity: Matrix = [1, 0, 0, 1]

/** Whether a picture covers most of a page, such as a scan that was stamped later. */
export async function isPicture(pdf: Pdf, number: number): Promise<boolean> {
  try {
    const page = await pdf.getPage(number)
    const { width, height } = page.getViewport({ scale: 1 })
    const area = await largestPicture(await page.getOperatorList())
    page.cleanup()
    return area >= minShare * width * height
  } catch (error) {
    if (isOutOfMemory(error)) throw new OutOfMemory()
    return false
  }
}

async function largestPicture({ fnArray, argsArray }: { fnArray: number[]; argsArray: unknown[] }): Promise<number> {
  const { OPS } = await getResolvedPDFJS()
  const pictures = [OPS.paintImageXObject, OPS.paintInlineImageXObject, OPS.paintImageMaskXObject]
  const saved: Matrix[] = []
  let matrix = identity
  let largest = 0
  for (const [at, operator] of fnArray.entries()) {
    const args = argsArray[at]
    if (operator === OPS.save || operator === OPS.paintFormXObjectBegin) saved.push(matrix)
    if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) matrix = saved.pop() ?? identity
    if (operator === OPS.transform) matrix = multiplied(matrix, args)
    if (operator === OPS.paintFormXObjectBegin && Array.isArray(args)) matrix = multiplied(matrix, args[0])
    // A picture is drawn into a square of the size 1.
    if (pictures.includes(operator))
      largest = Math.max(largest, Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
  }
  return largest
}

/** Without the translation, which does not change an area. */
function multiplied([a, b, c, d]: Matrix, other: unknown): Matrix {
  const [e, f, g, h]: Matrix = isMatrix(other) ? [other[0], other[1], other[2], other[3]] : identity
  return [a * e + c * f, b * e + d * f, a * g + c * h, b * g + d * h]
}

const isMatrix = (value: unknown): value is Matrix =>
  (Array.isArray(value) || value instanceof Float32Array || value instanceof Float64Array) && value.length >= 4
