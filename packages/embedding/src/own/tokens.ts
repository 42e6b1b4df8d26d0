import type { Code, FunctionBody, Local } from './assembler.ts'
import { at, count, f32x4, i32, i32x4, type Locals, times, v128 } from './instructions.ts'

const four = [0, 1, 2, 3]

/** A word of bytes as numbers, plus what stands for its place. */
export function placeWord(width: number) {
  return ({ locals }: FunctionBody, ...parameters: Local[]): Code => {
    const [word, scale, place, out] = parameters as Locals
    const [end] = locals('i32', 1) as Locals
    const [bytes, factor] = locals('v128', 2) as Locals
    return [
      factor.set(v128.splatFrom(scale.get)),
      end.set(at(word, i32.const(width))),
      count(word, word.get, end.get, 16, [
        bytes.set(v128.load(word.get)),
        four.map((part) => {
          const numbers = f32x4.fromInts(i32x4.fromBytes(bytes.get, part))
          const value = f32x4.mulAdd(numbers, factor.get, v128.load(place.get, 16 * part))
          return v128.store(out.get, value, 16 * part)
        }),
        place.set(at(place, i32.const(64))),
        out.set(at(out, i32.const(64))),
      ]),
    ]
  }
}

export function addUp(width: number) {
  return ({ locals }: FunctionBody, ...parameters: Local[]): Code => {
    const [numbers, rows, out] = parameters as Locals
    const [from, column, end] = locals('i32', 3) as Locals
    const sums = locals('v128', 4)
    return [
      end.set(at(numbers, times(rows, 4 * width))),
      count(column, i32.const(0), i32.const(4 * width), 64, [
        sums.map((sum) => sum.set(v128.zero)),
        count(
          from,
          at(numbers, column.get),
          end.get,
          4 * width,
          sums.map((sum, c) => sum.set(f32x4.add(sum.get, v128.load(from.get, 16 * c)))),
        ),
        sums.map((sum, c) => v128.store(at(out, column.get), sum.get, 16 * c)),
      ]),
    ]
  }
}
