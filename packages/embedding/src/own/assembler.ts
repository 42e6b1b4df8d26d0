/** Instructions in the order in which they are run, nested as they are written. */
export type Code = readonly (number | Code)[]

type ValueType = 'i32' | 'f32' | 'v128'
const valueTypes = { i32: 0x7f, f32: 0x7d, v128: 0x7b } as const

export interface Local {
  get: Code
  set(value: Code): Code
}

export interface FunctionBody {
  locals(type: ValueType, count: number): Local[]
}

type Build = (body: FunctionBody, ...parameters: Local[]) => Code

/** A WebAssembly module of functions that take whole numbers and work on the memory it is given. */
export function assemble(functions: Record<string, { parameters: number; build: Build }>): Uint8Array<ArrayBuffer> {
  const all = Object.entries(functions)
  const types = all.map(([, { parameters }]) => [0x60, vector(integers(parameters).map((type) => valueTypes[type])), 0])
  const memory = [text('env'), text('memory'), 2, 0, 1]
  return new Uint8Array(
    flatten([
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, vector(types)),
      section(2, vector([memory])),
      section(3, vector(all.map((_, at) => unsigned(at)))),
      section(7, vector(all.map(([name], at) => [text(name), 0, unsigned(at)]))),
      section(10, vector(all.map(([, { parameters, build }]) => sized(codeOf(parameters, build))))),
    ]),
  )
}

function codeOf(parameters: number, build: Build): Code {
  const types = integers(parameters)
  const at = (index: number): Local => ({
    get: [0x20, unsigned(index)],
    set: (value) => [value, 0x21, unsigned(index)],
  })
  const locals = (type: ValueType, count: number) => Array.from({ length: count }, () => at(types.push(type) - 1))
  const code = build({ locals }, ...types.map((_, index) => at(index)))
  const own = types.slice(parameters).map((type) => [1, valueTypes[type]])
  return [vector(own), code, 0x0b]
}

const integers = (length: number): ValueType[] => Array.from({ length }, () => 'i32')

function flatten(code: Code): number[] {
  return code.flatMap((part) => (typeof part === 'number' ? part : flatten(part)))
}

function section(id: number, content: Code): Code {
  return [id, sized(content)]
}

function sized(content: Code): Code {
  const bytes = flatten(content)
  return [unsigned(bytes.length), bytes]
}

function vector(items: Code): Code {
  return [unsigned(items.length), items]
}

function text(value: string): Code {
  return sized([...Buffer.from(value)])
}

export function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

export function signed(value: number): number[] {
  const isLast = value >= -0x40 && value < 0x40
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}
