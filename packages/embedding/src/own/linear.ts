import type { Code, FunctionBody, Local } from './assembler.ts'
import { at, count, type Dot, f32x4, i32, type Locals, times, v128 } from './instructions.ts'
import { repeats } from './rows.ts'

/** What becomes of the sums before they are written to the address. */
type Finish = (sums: Code, address: Code, offset: number) => Code

export const plusWhatIsThere: Finish = (sums, address, offset) => f32x4.add(sums, v128.load(address, offset))

/** Steps of four bytes of depth that are worked on in one round of the loop. */
const steps = 12
/** What fits into an instruction that adds. */
const largestOffset = 4095
/** How many columns are worked on at a time, four in each register. */
export const columnsAtOnce = 16
/** How much of a table the processor keeps close while all rows pass. */
const closeBytes = 96 * 1024

/**
 * Rows of bytes times a table, five or four rows by sixteen columns at a time, so that each byte that is read is used
 * four or five times. Six rows would need more registers than there are. Many columns come before the next rows: what is
 * read from its beginning to its end is there in time, as the processor sees it coming.
 */
export function linear(depth: number, dot: Dot, finish: Finish) {
  return ({ locals }: FunctionBody, ...parameters: Local[]): Code => {
    const [bytes, scales, rows, table, tableScales, bias, out, columns] = parameters as Locals
    const [row, column, block, target, weights, inFives, first, last] = locals('i32', 8) as Locals
    const closeColumns = closeBytes / depth
    const rowBytes = repeats * depth
    const rowsPerPointer = Math.floor((largestOffset - 16 * steps) / rowBytes) + 1
    const from = locals('i32', Math.ceil(5 / rowsPerPointer))
    const [scale, value] = locals('v128', 2) as Locals
    const four = locals('v128', 4)
    const factors = locals('v128', 4)
    const shifts = locals('v128', 4)
    const sums = Array.from({ length: 5 }, () => locals('v128', 4))

    const addSteps = (height: number): Code =>
      numbers(steps).map((step) => [
        four.map((each, c) => each.set(v128.load(weights.get, 64 * step + 16 * c))),
        sums
          .slice(0, height)
          .map((ofRow, r) => [
            value.set(
              v128.load(
                (from[Math.floor(r / rowsPerPointer)] as Local).get,
                (r % rowsPerPointer) * rowBytes + 16 * step,
              ),
            ),
            ofRow.map((sum, c) => sum.set(dot(value.get, (four[c] as Local).get, sum.get))),
          ]),
      ])

    const write = (ofRow: Local[], r: number): Code => [
      scale.set(v128.splatFrom(at(scales, times(row, 4)), 4 * r)),
      target.set(
        at(out, i32.mul(i32.add(i32.mul(i32.add(row.get, i32.const(r)), columns.get), column.get), i32.const(4))),
      ),
      ofRow.map((sum, c) => {
        const factor = f32x4.mul(scale.get, (factors[c] as Local).get)
        const made = f32x4.mulAdd(f32x4.fromInts(sum.get), factor, (shifts[c] as Local).get)
        return v128.store(target.get, finish(made, target.get, 16 * c), 16 * c)
      }),
    ]

    const tile = (height: number): Code => [
      sums.slice(0, height).map((ofRow) => ofRow.map((sum) => sum.set(v128.zero))),
      from.map((each, p) =>
        each.set(at(bytes, i32.mul(i32.add(row.get, i32.const(p * rowsPerPointer)), i32.const(rowBytes)))),
      ),
      count(weights, block.get, at(block, i32.const(columnsAtOnce * depth)), 64 * steps, [
        addSteps(height),
        from.map((each) => each.set(at(each, i32.const(16 * steps)))),
      ]),
      factors.map((each, c) => each.set(v128.load(at(tableScales, times(column, 4)), 16 * c))),
      shifts.map((each, c) => each.set(v128.load(at(bias, times(column, 4)), 16 * c))),
      sums.slice(0, height).map(write),
    ]

    const someColumns = (height: number): Code => [
      block.set(at(table, i32.mul(first.get, i32.const(depth)))),
      count(column, first.get, last.get, columnsAtOnce, [
        tile(height),
        block.set(at(block, i32.const(columnsAtOnce * depth))),
      ]),
    ]

    return [
      inFives.set(rowsInFives(rows)),
      count(first, i32.const(0), columns.get, closeColumns, [
        last.set(i32.min(i32.add(first.get, i32.const(closeColumns)), columns.get)),
        count(row, i32.const(0), inFives.get, 5, someColumns(5)),
        count(row, row.get, i32.sub(rows.get, i32.const(3)), 4, someColumns(4)),
        count(row, row.get, i32.sub(rows.get, i32.const(1)), 2, someColumns(2)),
        count(row, row.get, rows.get, 1, someColumns(1)),
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
