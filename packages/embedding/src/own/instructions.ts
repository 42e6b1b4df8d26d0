import { type Code, type FunctionBody, type Local, signed, unsigned } from './assembler.ts'

export type Binary = (one: Code, other: Code) => Code
type Unary = (value: Code) => Code

const plain =
  (opcode: number): Binary =>
  (one, other) => [one, other, opcode]
const simd = (opcode: number): Code => [0xfd, unsigned(opcode)]
const simd1 =
  (opcode: number): Unary =>
  (value) => [value, simd(opcode)]
const simd2 =
  (opcode: number): Binary =>
  (one, other) => [one, other, simd(opcode)]
const simd3 =
  (opcode: number) =>
  (one: Code, other: Code, third: Code): Code => [one, other, third, simd(opcode)]
const load =
  (...opcode: number[]) =>
  (address: Code, offset = 0): Code => [address, opcode, 0, unsigned(offset)]
const store =
  (...opcode: number[]) =>
  (address: Code, value: Code, offset = 0): Code => [address, value, opcode, 0, unsigned(offset)]

export const i32 = {
  const: (value: number): Code => [0x41, signed(value)],
  add: plain(0x6a),
  sub: plain(0x6b),
  mul: plain(0x6c),
  div: plain(0x6e),
  and: plain(0x71),
  /** The number, or zero where it is below that. */
  orZero: (value: Code): Code => [value, value, i32.const(31), 0x75, i32.const(-1), 0x73, 0x71],
  min: (one: Code, other: Code): Code => [one, other, one, other, 0x48, 0x1b],
  toFloat: (value: Code): Code => [value, 0xb3],
}

export const f32 = {
  const: (value: number): Code => [0x43, ...new Uint8Array(new Float32Array([value]).buffer)],
  store: store(0x38),
  add: plain(0x92),
  mul: plain(0x94),
  div: plain(0x95),
  max: plain(0x97),
}

/** Sixteen bytes out of thirty-two; `from` says which. */
const shuffle = (one: Code, other: Code, from: (at: number) => number): Code => [one, other, simd(13), sixteen(from)]
const sixteen = (each: (at: number) => number) => Array.from({ length: 16 }, (_, at) => each(at))

/** Sixteen bytes, as four numbers unless the name says otherwise. */
export const v128 = {
  load: load(0xfd, 0),
  splatFrom: load(0xfd, 9),
  store: store(0xfd, 11),
  zero: [simd(12), sixteen(() => 0)] as Code,
  splatLane: (value: Code, lane: number) => shuffle(value, value, (at) => 4 * lane + (at & 3)),
  evenBytes: (one: Code, other: Code) => shuffle(one, other, (at) => 2 * at),
  evenWords: (one: Code, other: Code) => shuffle(one, other, (at) => 8 * (at >> 2) + (at & 3)),
  oddWords: (one: Code, other: Code) => shuffle(one, other, (at) => 8 * (at >> 2) + 4 + (at & 3)),
}

export const i32x4 = {
  add: simd2(0xae),
  /** One of the four fours of sixteen bytes, without signs. */
  fromBytes: (value: Code, four: number): Code => [value, simd(four < 2 ? 0x89 : 0x8a), simd(four % 2 ? 0xaa : 0xa9)],
  shl: (value: Code, bits: number): Code => [value, i32.const(bits), simd(0xab)],
}

export const f32x4 = {
  const: (value: number): Code => [f32.const(value), simd(0x13)],
  splat: simd1(0x13),
  lane: (value: Code, lane: number): Code => [value, simd(0x1f), lane],
  abs: simd1(0xe0),
  sqrt: simd1(0xe3),
  add: simd2(0xe4),
  sub: simd2(0xe5),
  mul: simd2(0xe6),
  div: simd2(0xe7),
  min: simd2(0xe8),
  max: simd2(0xe9),
  fromInts: simd1(0xfa),
  /** one · other + third */
  mulAdd: simd3(0x105),
  /** third − one · other */
  minusProduct: simd3(0x106),
}

/** Runs the body for each value of the counter below the end. */
export function count(counter: Local, from: Code, end: Code, step: number, body: Code): Code {
  const isOver = [counter.get, end, 0x4e, 0x0d, 1]
  const next = counter.set(i32.add(counter.get, i32.const(step)))
  return [counter.set(from), 0x02, 0x40, 0x03, 0x40, isOver, body, next, 0x0c, 0, 0x0b, 0x0b]
}

/** The sums of the products of four pairs of signed bytes each, added to what was there. */
export type Dot = (one: Code, other: Code, sums: Code) => Code

/** One instruction on ARM processors; others do not take it for all 8 bits of both. */
export const armDot: Dot = simd3(0x113)

/** The same for all processors. */
export const portableDot: Dot = (one, other, sums) => {
  const products = (half: number): Code => [one, other, simd(half), simd(0x7e)]
  const [low, high] = [products(0x9c), products(0x9d)]
  return i32x4.add(sums, i32x4.add(v128.evenWords(low, high), v128.oddWords(low, high)))
}

/** As many as are asked for. */
export type Locals = [Local, Local, Local, Local, Local, Local, Local, Local, Local]

export const at = (base: Local, offset: Code): Code => i32.add(base.get, offset)

export const times = (value: Local, factor: number): Code => i32.mul(value.get, i32.const(factor))

/** Added to a small number, this leaves the nearest whole one in its lowest bits. */
export const rounding = 12582912

/** What a loop needs again and again is made before it. */
export function constants(locals: FunctionBody['locals'], values: number[]): { set: Code; values: Code[] } {
  const held = locals('v128', values.length)
  return {
    set: held.map((each, at) => each.set(f32x4.const(values[at] as number))),
    values: held.map((each) => each.get),
  }
}
