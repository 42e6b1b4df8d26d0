const graphField = 7
const tensorField = 5
const nameField = 8
const floatsField = 4
const integersField = 5
const rawField = 9

/** A value that is a number is of no use here, so only fields with bytes are kept. */
type Field = [number: number, value: Buffer]

/** The weights of a model in ONNX's format (a protocol buffer) by name, in the order of the file. */
export function tensorsOf(file: Buffer): Map<string, Buffer> {
  const graph = fieldsOf(field(fieldsOf(file), graphField))
  const tensors = graph.filter(([number]) => number === tensorField).map(([, tensor]) => fieldsOf(tensor))
  return new Map(tensors.map((fields) => [String(field(fields, nameField)), contentOf(fields)]))
}

function contentOf(fields: Field[]): Buffer {
  const numbers = fields.find(([number]) => number === rawField || number === floatsField)
  return numbers ? numbers[1] : Buffer.from(integersOf(field(fields, integersField)))
}

function field(fields: Field[], wanted: number): Buffer {
  const found = fields.find(([number]) => number === wanted)
  if (!found) throw new Error('the weights are not a model in ONNX’s format')
  return found[1]
}

function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = []
  for (let at = 0; at < message.length; ) {
    const key = integerAt(message, at)
    const value = integerAt(message, key.end)
    at = value.end
    if ((key.value & 7) !== 2) continue
    fields.push([key.value >>> 3, message.subarray(at, at + value.value)])
    at += value.value
  }
  return fields
}

function integersOf(bytes: Buffer): number[] {
  const integers: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const { value, end } = integerAt(bytes, at)
    integers.push(value)
    at = end
  }
  return integers
}

function integerAt(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0
  let factor = 1
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number
    value += (byte & 0x7f) * factor
    if (byte < 0x80) return { value, end: at + 1 }
    factor *= 0x80
  }
  throw new Error('the weights end in the middle of a number')
}
