import type { Code, FunctionBody, Local } from './assembler.ts'
import { at, count, f32, f32x4, i32, i32x4, type Locals, times, v128 } from './instructions.ts'

/** Added to a small number, this leaves the nearest whole one in its lowest bits. */
const rounding = 12582912

/** Every four bytes stand there so many times in a row, once for each column that they are multiplied with at once. */
export const repeats = 4

/** Rows as bytes, scaled by the largest number of each. */
export function quantise({ locals }: FunctionBody, ...parameters: Local[]): Code {
  const [numbers, rows, width, bytes, scales] = parameters as Locals
  const [row, from, end] = locals('i32', 3) as Locals
  const [most, factor, packed] = locals('v128', 3) as Locals
  const rounder = constants(locals, [rounding])
  const parts = locals('v128', 4)
  const [largest] = locals('f32', 1) as Locals
  const [a, b, c, d] = parts.map((part) => part.get) as [Code, Code, Code, Code]
  return [
    rounder.set,
    count(row, i32.const(0), rows.get, 1, [
      end.set(at(numbers, times(width, 4))),
      most.set(f32x4.const(1e-30)),
      count(from, numbers.get, end.get, 64, [
        parts.map((_, at) => most.set(f32x4.max(most.get, f32x4.abs(v128.load(from.get, 16 * at))))),
      ]),
      largest.set(lanes(most).reduce(f32.max)),
      f32.store(at(scales, times(row, 4)), f32.mul(largest.get, f32.const(1 / 127))),
      factor.set(f32x4.splat(f32.div(f32.const(127), largest.get))),
      count(from, numbers.get, end.get, 64, [
        parts.map((part, at) =>
          part.set(f32x4.mulAdd(v128.load(from.get, 16 * at), factor.get, rounder.values[0] as Code)),
        ),
        packed.set(v128.evenBytes(v128.evenBytes(a, b), v128.evenBytes(c, d))),
        [0, 1, 2, 3].map((lane) => v128.store(bytes.get, v128.splatLane(packed.get, lane), 16 * lane)),
        bytes.set(at(bytes, i32.const(16 * repeats))),
      ]),
      numbers.set(end.get),
    ]),
  ]
}

/**
 * In place, x · Φ(x). By Abramowitz and Stegun 7.1.28, right to 3 in 10 million, Φ is 1 − ½ p(|x| · √½)⁻¹⁶ for what is
 * above zero and the rest to 1 for what is below.
 */
export function gelu({ locals }: FunctionBody, ...parameters: Local[]): Code {
  const [numbers, amount] = parameters as Locals
  const [from] = locals('i32', 1) as Locals
  const polynomial = [0.0000430638, 0.0002765672, 0.0001520143, 0.0092705272, 0.0422820123, 0.0705230784, 1]
  const factors = constants(
    locals,
    polynomial.map((factor, at) => factor * Math.SQRT1_2 ** (6 - at)),
  )
  const others = constants(locals, [0, 0.5])
  const [zero, half] = others.values as [Code, Code]
  const [x, size, p] = locals('v128', 3) as Locals
  return [
    factors.set,
    others.set,
    count(from, numbers.get, at(numbers, times(amount, 4)), 16, [
      x.set(v128.load(from.get)),
      size.set(f32x4.abs(x.get)),
      p.set(factors.values.reduce((sum, factor) => f32x4.mulAdd(sum, size.get, factor))),
      Array.from({ length: 4 }, () => p.set(f32x4.mul(p.get, p.get))),
      v128.store(from.get, f32x4.sub(f32x4.max(x.get, zero), f32x4.div(f32x4.mul(half, size.get), p.get))),
    ]),
  ]
}

export function normalise({ locals }: FunctionBody, ...parameters: Local[]): Code {
  const [numbers, rows, width, scale, shift] = parameters as Locals
  const [row, from, end, offset] = locals('i32', 4) as Locals
  const [sum, mean, factor, value] = locals('v128', 4) as Locals
  const size = i32.toFloat(width.get)
  return [
    count(row, i32.const(0), rows.get, 1, [
      end.set(at(numbers, times(width, 4))),
      sum.set(v128.zero),
      count(from, numbers.get, end.get, 16, sum.set(f32x4.add(sum.get, v128.load(from.get)))),
      mean.set(f32x4.splat(f32.div(lanes(sum).reduce(f32.add), size))),
      sum.set(v128.zero),
      count(from, numbers.get, end.get, 16, [
        value.set(f32x4.sub(v128.load(from.get), mean.get)),
        sum.set(f32x4.mulAdd(value.get, value.get, sum.get)),
      ]),
      factor.set(
        f32x4.splat(
          f32.div(f32.const(1), f32.sqrt(f32.add(f32.div(lanes(sum).reduce(f32.add), size), f32.const(1e-12)))),
        ),
      ),
      offset.set(i32.const(0)),
      count(from, numbers.get, end.get, 16, [
        value.set(f32x4.mul(f32x4.sub(v128.load(from.get), mean.get), factor.get)),
        v128.store(
          from.get,
          f32x4.mulAdd(value.get, v128.load(at(scale, offset.get)), v128.load(at(shift, offset.get))),
        ),
        offset.set(at(offset, i32.const(16))),
      ]),
      numbers.set(end.get),
    ]),
  ]
}

/** In place: e to the power of each, as shares of their row. */
export function softmax({ locals }: FunctionBody, ...parameters: Local[]): Code {
  const [numbers, rows, width, stride] = parameters as Locals
  const [row, from, end] = locals('i32', 3) as Locals
  const [most, sum, power, whole] = locals('v128', 4) as Locals
  const factors = constants(locals, [0.0013333558, 0.0096181291, 0.0555041087, 0.240226507, Math.LN2, 1])
  const others = constants(locals, [Math.LOG2E, -126, rounding])
  const [log2e, least, rounder] = others.values as [Code, Code, Code]
  return [
    factors.set,
    others.set,
    count(row, i32.const(0), rows.get, 1, [
      end.set(at(numbers, stride.get)),
      count(from, at(numbers, times(width, 4)), end.get, 4, f32.store(from.get, f32.const(-1e30))),
      most.set(f32x4.const(-1e30)),
      count(from, numbers.get, end.get, 16, most.set(f32x4.max(most.get, v128.load(from.get)))),
      most.set(f32x4.splat(lanes(most).reduce(f32.max))),
      sum.set(v128.zero),
      count(from, numbers.get, end.get, 16, [
        // A power of two for the whole part, by its exponent, and the series for what is left.
        power.set(f32x4.max(f32x4.mul(f32x4.sub(v128.load(from.get), most.get), log2e), least)),
        whole.set(f32x4.add(power.get, rounder)),
        power.set(f32x4.sub(power.get, f32x4.sub(whole.get, rounder))),
        power.set(
          i32x4.add(
            factors.values.reduce((series, next) => f32x4.mulAdd(series, power.get, next)),
            i32x4.shl(whole.get, 23),
          ),
        ),
        sum.set(f32x4.add(sum.get, power.get)),
        v128.store(from.get, power.get),
      ]),
      sum.set(f32x4.splat(f32.div(f32.const(1), lanes(sum).reduce(f32.add)))),
      count(from, numbers.get, end.get, 16, v128.store(from.get, f32x4.mul(v128.load(from.get), sum.get))),
      numbers.set(end.get),
    ]),
  ]
}

const lanes = (vector: Local) => [0, 1, 2, 3].map((lane) => f32x4.lane(vector.get, lane))

/** What a loop needs again and again is made before it. */
function constants(locals: FunctionBody['locals'], values: number[]): { set: Code; values: Code[] } {
  const held = locals('v128', values.length)
  return {
    set: held.map((each, at) => each.set(f32x4.const(values[at] as number))),
    values: held.map((each) => each.get),
  }
}
