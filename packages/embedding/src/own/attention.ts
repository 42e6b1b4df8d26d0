import type { Code, FunctionBody, Local } from './assembler.ts'
import { at, constants, count, f32x4, i32, i32x4, type Locals, rounding, times, v128 } from './instructions.ts'

/** So many rows and so many keys are worked on at a time. */
const four = [0, 1, 2, 3]
/** Leaves a key without any share. */
const none = f32x4.const(-1e30)

/**
 * What each row takes over from all rows of its text, head by head. A row is its query, its key and its value, of the
 * width each. Four rows are worked on at a time, one in each lane, so nothing is ever added up across but the products
 * of queries and keys.
 */
export function attend(width: number, heads: number) {
  const [rowBytes, outBytes] = [4 * 3 * width, 4 * width]
  const headBytes = outBytes / heads
  return ({ locals }: FunctionBody, ...parameters: Local[]): Code => {
    const [from, length, scores, out] = parameters as Locals
    const [head, row, score, end, value, column, target] = locals('i32', 7) as Locals
    const queries = locals('i32', 4)
    const keys = locals('i32', 4)
    const sums = four.map(() => locals('v128', 4))
    const lefts = locals('v128', 4)
    const rights = locals('v128', 4)
    const totals = locals('v128', 4)
    const powers = four.map(() => locals('v128', 3) as Locals)
    const [most, total, shares, share] = locals('v128', 4) as Locals
    const factors = constants(locals, [0.00956833456, 0.0559179224, 0.240247935, 0.693121791, 0.999999225])
    const others = constants(locals, [-126, rounding])
    const [least, rounder] = others.values as [Code, Code]

    const eachFour = (work: Code) => count(score, scores.get, end.get, 16 * four.length, work)

    const multiplyKeys: Code = [
      queries.map((query, r) =>
        query.set(at(from, i32.add(head.get, i32.mul(i32.add(row.get, i32.const(r)), i32.const(rowBytes))))),
      ),
      keys.map((key, c) => key.set(at(from, i32.add(head.get, i32.const(outBytes + c * rowBytes))))),
      eachFour([
        Array.from({ length: headBytes / 16 }, (_, step) => [
          lefts.map((left, r) => left.set(v128.load((queries[r] as Local).get, 16 * step))),
          rights.map((right, c) => right.set(v128.load((keys[c] as Local).get, 16 * step))),
          sums.map((ofKey, c) =>
            ofKey.map((sum, r) => {
              const pair = [(lefts[r] as Local).get, (rights[c] as Local).get] as const
              return sum.set(step ? f32x4.mulAdd(...pair, sum.get) : f32x4.mul(...pair))
            }),
          ),
        ]),
        sums.map((ofKey, c) => v128.store(score.get, lanesAddedUp(ofKey), 16 * c)),
        keys.map((key) => key.set(at(key, i32.const(four.length * rowBytes)))),
      ]),
      four.slice(1).map((_, beyond) => v128.store(end.get, none, 16 * beyond)),
    ]

    const findLargest: Code = [
      totals.map((each) => each.set(none)),
      eachFour(totals.map((each, c) => each.set(f32x4.max(each.get, v128.load(score.get, 16 * c))))),
      most.set(totals.map((each) => each.get).reduce(f32x4.max)),
    ]

    // Two to the power of each: the whole part by the exponent, what is left by a polynomial, fitted, right to 3 in a
    // million.
    const raise: Code = [
      totals.map((each) => each.set(v128.zero)),
      eachFour([
        powers.map(([power], c) => power.set(f32x4.max(f32x4.sub(v128.load(score.get, 16 * c), most.get), least))),
        powers.map(([power, whole]) => [
          whole.set(f32x4.add(power.get, rounder)),
          power.set(f32x4.sub(power.get, f32x4.sub(whole.get, rounder))),
        ]),
        powers.map(([, , part]) => part.set(factors.values[0] as Code)),
        factors.values
          .slice(1)
          .map((factor) => powers.map(([power, , part]) => part.set(f32x4.mulAdd(part.get, power.get, factor)))),
        powers.map(([, whole, part], c) => {
          const sum = totals[c] as Local
          return [
            part.set(i32x4.add(part.get, i32x4.shl(whole.get, 23))),
            sum.set(f32x4.add(sum.get, part.get)),
            v128.store(score.get, part.get, 16 * c),
          ]
        }),
      ]),
      total.set(f32x4.div(f32x4.const(1), totals.map((each) => each.get).reduce(f32x4.add))),
    ]

    const mixValues: Code = count(column, i32.const(0), i32.const(headBytes), 16 * four.length, [
      sums.flat().map((sum) => sum.set(v128.zero)),
      value.set(at(from, i32.add(i32.add(head.get, column.get), i32.const(2 * outBytes)))),
      count(score, scores.get, end.get, 16, [
        shares.set(v128.load(score.get)),
        rights.map((right, c) => right.set(v128.load(value.get, 16 * c))),
        lefts.map((left, r) => left.set(v128.splatLane(shares.get, r))),
        sums.map((ofRow, r) =>
          ofRow.map((sum, c) => sum.set(f32x4.mulAdd((lefts[r] as Local).get, (rights[c] as Local).get, sum.get))),
        ),
        value.set(at(value, i32.const(rowBytes))),
      ]),
      target.set(at(out, i32.add(i32.add(head.get, column.get), times(row, outBytes)))),
      sums.map((ofRow, r) => [
        share.set(v128.splatLane(total.get, r)),
        ofRow.map((sum, c) => v128.store(target.get, f32x4.mul(sum.get, share.get), r * outBytes + 16 * c)),
      ]),
    ])

    return [
      factors.set,
      others.set,
      end.set(at(scores, times(length, 16))),
      count(head, i32.const(0), i32.const(outBytes), headBytes, [
        count(row, i32.const(0), length.get, four.length, [multiplyKeys, findLargest, raise, mixValues]),
      ]),
    ]
  }
}

/** Of each of four vectors the sum of its lanes. The vectors are lost. */
function lanesAddedUp(vectors: Local[]): Code {
  const [a, b, c, d] = vectors as Locals
  const pairs = (one: Local, other: Local) =>
    f32x4.add(v128.evenWords(one.get, other.get), v128.oddWords(one.get, other.get))
  return [a.set(pairs(a, b)), c.set(pairs(c, d)), pairs(a, c)]
}
