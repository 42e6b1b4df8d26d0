import type { Code, FunctionBody, Local } from './assembler.ts'
import { at, count, f32, f32x4, i32, type Locals, times, v128 } from './instructions.ts'

export function product({ locals }: FunctionBody, ...parameters: Local[]): Code {
  const [one, oneStride, other, otherStride, out, outStride, rows, depth, columns] = parameters as Locals
  const [row, column, step, right, target] = locals('i32', 5) as Locals
  const lefts = locals('i32', 4)
  const sums = lefts.map(() => locals('v128', 4))
  const rights = locals('v128', 4)
  const values = locals('v128', 4)
  const [value] = locals('v128', 1) as Locals
  return [
    count(row, i32.const(0), rows.get, 4, [
      count(column, i32.const(0), columns.get, 16, [
        sums.flat().map((sum) => sum.set(v128.zero)),
        lefts.map((left, r) => left.set(at(one, times(oneStride, r)))),
        right.set(at(other, times(column, 4))),
        count(step, i32.const(0), depth.get, 4, [
          lefts.map((left, r) => [(values[r] as Local).set(v128.load(left.get)), left.set(at(left, i32.const(16)))]),
          [0, 1, 2, 3].map((lane) => [
            rights.map((each, c) => each.set(v128.load(right.get, 16 * c))),
            right.set(at(right, otherStride.get)),
            sums.map((ofRow, r) => [
              value.set(v128.splatLane((values[r] as Local).get, lane)),
              ofRow.map((sum, c) => sum.set(f32x4.mulAdd(value.get, (rights[c] as Local).get, sum.get))),
            ]),
          ]),
        ]),
        sums.map((ofRow, r) => [
          target.set(i32.add(at(out, times(column, 4)), times(outStride, r))),
          ofRow.map((sum, c) => v128.store(target.get, sum.get, 16 * c)),
        ]),
      ]),
      one.set(at(one, times(oneStride, 4))),
      out.set(at(out, times(outStride, 4))),
    ]),
  ]
}

export function transpose({ locals }: FunctionBody, ...parameters: Local[]): Code {
  const [from, fromStride, rows, columns, to, toStride] = parameters as Locals
  const [row, column, target] = locals('i32', 3) as Locals
  return [
    count(row, i32.const(0), rows.get, 1, [
      target.set(at(to, times(row, 4))),
      count(column, i32.const(0), columns.get, 1, [
        f32.store(target.get, f32.load(at(from, times(column, 4)))),
        target.set(at(target, toStride.get)),
      ]),
      from.set(at(from, fromStride.get)),
    ]),
  ]
}
