import type { Code, FunctionBody, Local } from './assembler.ts'
import { at, count, type Dot, f32x4, i32, i32x4, type Locals, times, v128 } from './instructions.ts'

/** What becomes of the sums before they are written to the address. */
type Finish = (sums: Code, address: Code) => Code

export const plusWhatIsThere: Finish = (sums, address) => f32x4.add(sums, v128.load(address))

/** Pieces of sixteen bytes that are worked on in one round of the loop. */
const pieces = 4
/** What fits into an instruction that adds. */
const largestOffset = 4095

/**
 * Rows of bytes times a table, five or four rows by four columns at a time, so that each byte that is read is used four
 * times. Six rows would need more registers than there are.
 */
export function linear(depth: number, dot: Dot, finish: Finish) {
  return ({ locals }: FunctionBody, ...parameters: Local[]): Code => {
    const [bytes, scales, rows, table, tableScales, bias, out, columns] = parameters as Locals
    const [row, column, block, target] = locals('i32', 4) as Locals
    const [weights] = locals('i32', 1) as Locals
    const rowsPerPointer = Math.floor((largestOffset - 16 * pieces) / depth) + 1
    const from = locals('i32', Math.ceil(5 / rowsPerPointer))
    const [scale, shift, value] = locals('v128', 3) as Locals
    const four = locals('v128', 4)
    const sums = Array.from({ length: 5 }, () => locals('v128', 4))
    const [inFives] = locals('i32', 1) as Locals

    const addPieces = (height: number): Code =>
      numbers(pieces).map((piece) => [
        four.map((each, c) => each.set(v128.load(weights.get, 64 * piece + 16 * c))),
        sums
          .slice(0, height)
          .map((ofRow, r) => [
            value.set(
              v128.load((from[Math.floor(r / rowsPerPointer)] as Local).get, (r % rowsPerPointer) * depth + 16 * piece),
            ),
            ofRow.map((sum, c) => sum.set(dot(value.get, (four[c] as Local).get, sum.get))),
          ]),
      ])

    const write = (ofRow: Local[], r: number): Code => {
      const [a, b, c, d] = ofRow as Locals
      const pairs = (one: Local, other: Local) =>
        i32x4.add(v128.evenWords(one.get, other.get), v128.oddWords(one.get, other.get))
      const place = i32.add(i32.mul(i32.add(row.get, i32.const(r)), columns.get), column.get)
      return [
        a.set(pairs(a, b)),
        c.set(pairs(c, d)),
        a.set(f32x4.fromInts(pairs(a, c))),
        b.set(f32x4.mul(v128.splatFrom(at(scales, times(row, 4)), 4 * r), scale.get)),
        target.set(i32.add(out.get, i32.mul(place, i32.const(4)))),
        v128.store(target.get, finish(f32x4.mulAdd(a.get, b.get, shift.get), target.get)),
      ]
    }

    const tile = (height: number): Code => [
      sums.slice(0, height).map((ofRow) => ofRow.map((sum) => sum.set(v128.zero))),
      from.map((each, p) =>
        each.set(at(bytes, i32.mul(i32.add(row.get, i32.const(p * rowsPerPointer)), i32.const(depth)))),
      ),
      count(weights, block.get, at(block, i32.const(4 * depth)), 64 * pieces, [
        addPieces(height),
        from.map((each) => each.set(at(each, i32.const(16 * pieces)))),
      ]),
      sums.slice(0, height).map(write),
    ]

    return [
      block.set(table.get),
      inFives.set(rowsInFives(rows)),
      count(column, i32.const(0), columns.get, 4, [
        scale.set(v128.load(at(tableScales, times(column, 4)))),
        shift.set(v128.load(at(bias, times(column, 4)))),
        count(row, i32.const(0), inFives.get, 5, tile(5)),
        count(row, row.get, i32.sub(rows.get, i32.const(3)), 4, tile(4)),
        count(row, row.get, i32.sub(rows.get, i32.const(1)), 2, tile(2)),
        count(row, row.get, rows.get, 1, tile(1)),
        block.set(at(block, i32.const(4 * depth))),
      ]),
    ]
  }
}

/** Of most numbers of rows so many can be taken by fives that fours are left and nothing else. */
const rowsInFives = (rows: Local): Code => {
  const fives = i32.div(rows.get, i32.const(5))
  return i32.mul(i32.const(5), i32.orZero(i32.sub(fives, i32.and(i32.sub(fives, rows.get), i32.const(3)))))
}

const numbers = (length: number) => Array.from({ length }, (_, at) => at)
