import type { Code, FunctionBody, Local } from './assembler.ts'
import {
  at,
  type Binary,
  constants,
  count,
  f32,
  f32x4,
  i32,
  type Locals,
  rounding,
  times,
  v128,
} from './instructions.ts'

/** Every four bytes stand there so many times in a row, once for each column that they are multiplied with at once. */
export const repeats = 4

/** Four vectors are worked on in one round of a loop, so that none has to wait for another. */
const vectors = [0, 1, 2, 3]
const vectorsBytes = 16 * vectors.length

/** What zeros can be divided by. */
const tiny = 1e-30

interface Row {
  start: Local
  end: Local
  from: Local
  /** To become at least as large as all numbers of the row are without their signs, in any lane of any vector. */
  most: Local[]
}

/** Works on each row, then writes it as bytes, scaled by its largest number or the least that is to be. */
function eachToBytes({ locals }: FunctionBody, parameters: Local[], least: number, work: (row: Row) => Code): Code {
  const [start, rows, width, bytes, scales] = parameters as Locals
  const [row, from, end] = locals('i32', 3) as Locals
  const [factor, packed] = locals('v128', 2) as Locals
  const most = locals('v128', 4)
  const parts = locals('v128', 4)
  const [largest] = locals('f32', 1) as Locals
  const rounder = constants(locals, [rounding])
  const [a, b, c, d] = parts.map((part) => part.get) as [Code, Code, Code, Code]
  return [
    rounder.set,
    count(row, i32.const(0), rows.get, 1, [
      end.set(at(start, times(width, 4))),
      most.map((each) => each.set(f32x4.const(least))),
      work({ start, end, from, most }),
      largest.set(across(most, f32x4.max, f32.max)),
      f32.store(at(scales, times(row, 4)), f32.mul(largest.get, f32.const(1 / 127))),
      factor.set(f32x4.splat(f32.div(f32.const(127), largest.get))),
      count(from, start.get, end.get, vectorsBytes, [
        parts.map((part, at) =>
          part.set(f32x4.mulAdd(v128.load(from.get, 16 * at), factor.get, rounder.values[0] as Code)),
        ),
        packed.set(v128.evenBytes(v128.evenBytes(a, b), v128.evenBytes(c, d))),
        vectors.map((lane) => v128.store(bytes.get, v128.splatLane(packed.get, lane), 16 * lane)),
        bytes.set(at(bytes, i32.const(16 * repeats))),
      ]),
      start.set(end.get),
    ]),
  ]
}

export function quantise(body: FunctionBody, ...parameters: Local[]): Code {
  return eachToBytes(body, parameters, tiny, ({ start, end, from, most }) =>
    count(
      from,
      start.get,
      end.get,
      vectorsBytes,
      most.map((each, at) => each.set(f32x4.max(each.get, f32x4.abs(v128.load(from.get, 16 * at))))),
    ),
  )
}

/**
 * In place, x · Φ(x), as max(x, 0) − |x| · p(|x|)⁸. The polynomial was fitted to the eighth root of the normal
 * distribution's tail so that the largest error is as small as can be: all is right to 2 in a million. Beyond `far`
 * nothing is left of the tail.
 */
export function gelu(body: FunctionBody, ...parameters: Local[]): Code {
  const far = 5
  const polynomial = [-0.00019314824, 0.00195721257, -0.00115855248, -0.0316582918, -0.0915244073, 0.917008936]
  const lowest = -0.16998
  const bytes = parameters[3] as Local
  const others = constants(body.locals, [0, far])
  const [zero, farthest] = others.values as [Code, Code]
  // Each step takes what the one before made, so it takes twice as many vectors as elsewhere for none to wait.
  const parts = [...vectors, ...vectors].map(() => body.locals('v128', 2) as Locals)
  const [value] = body.locals('v128', 1) as Locals
  return [
    others.set,
    eachToBytes(body, parameters, -lowest, ({ start, end, from, most }) => [
      // What a product is added to is overwritten, and to read a factor again takes less than to copy it. Where the
      // row's bytes will be, there is room until then.
      polynomial.map((factor, at) => v128.store(bytes.get, f32x4.const(factor), 16 * at)),
      count(from, start.get, end.get, 16 * parts.length, [
        parts.map(([size], at) => size.set(f32x4.min(f32x4.abs(v128.load(from.get, 16 * at)), farthest))),
        parts.map(([, p]) => p.set(v128.load(bytes.get))),
        polynomial
          .slice(1)
          .map((_, at) =>
            parts.map(([size, p]) => p.set(f32x4.mulAdd(p.get, size.get, v128.load(bytes.get, 16 * (at + 1))))),
          ),
        Array.from({ length: 3 }, () => parts.map(([, p]) => p.set(f32x4.mul(p.get, p.get)))),
        parts.map(([size, p], at) => {
          const largest = most[at % most.length] as Local
          return [
            value.set(f32x4.minusProduct(size.get, p.get, f32x4.max(v128.load(from.get, 16 * at), zero))),
            v128.store(from.get, value.get, 16 * at),
            largest.set(f32x4.max(largest.get, value.get)),
          ]
        }),
      ]),
    ]),
  ]
}

export function normalise(body: FunctionBody, ...parameters: Local[]): Code {
  const [numbers, rows, width, scale, shift, bytes, scales] = parameters as Locals
  const [scaleFrom, shiftFrom] = body.locals('i32', 2) as Locals
  const [mean, factor, value] = body.locals('v128', 3) as Locals
  const sums = body.locals('v128', 4)
  const squares = body.locals('v128', 4)
  const average = (of: Local[]) => f32x4.splat(f32.div(across(of, f32x4.add, f32.add), i32.toFloat(width.get)))
  return eachToBytes(body, [numbers, rows, width, bytes, scales], tiny, ({ start, end, from, most }) => [
    [...sums, ...squares].map((sum) => sum.set(v128.zero)),
    count(
      from,
      start.get,
      end.get,
      vectorsBytes,
      vectors.map((at) => {
        const [sum, square] = [sums[at] as Local, squares[at] as Local]
        return [
          value.set(v128.load(from.get, 16 * at)),
          sum.set(f32x4.add(sum.get, value.get)),
          square.set(f32x4.mulAdd(value.get, value.get, square.get)),
        ]
      }),
    ),
    mean.set(average(sums)),
    // The variance is the average square less the square of the average. As that is small next to it, little is lost.
    factor.set(f32x4.max(f32x4.minusProduct(mean.get, mean.get, average(squares)), f32x4.const(1e-12))),
    factor.set(f32x4.div(f32x4.const(1), f32x4.sqrt(factor.get))),
    scaleFrom.set(scale.get),
    shiftFrom.set(shift.get),
    count(from, start.get, end.get, vectorsBytes, [
      most.map((largest, at) => [
        value.set(f32x4.mul(f32x4.sub(v128.load(from.get, 16 * at), mean.get), factor.get)),
        value.set(f32x4.mulAdd(value.get, v128.load(scaleFrom.get, 16 * at), v128.load(shiftFrom.get, 16 * at))),
        v128.store(from.get, value.get, 16 * at),
        largest.set(f32x4.max(largest.get, f32x4.abs(value.get))),
      ]),
      scaleFrom.set(at(scaleFrom, i32.const(vectorsBytes))),
      shiftFrom.set(at(shiftFrom, i32.const(vectorsBytes))),
    ]),
  ])
}

/** One number of all lanes of all vectors, the first of which is lost. */
function across(all: Local[], ofVectors: Binary, ofNumbers: Binary): Code {
  const [first] = all as [Local]
  const lanes = [0, 1, 2, 3].map((lane) => f32x4.lane(first.get, lane))
  return [first.set(all.map(({ get }) => get).reduce(ofVectors)), lanes.reduce(ofNumbers)]
}
