import type { Columns, DatasetTable } from './dataset.ts'

type Width = 1 | 2 | 4 | 8
interface TableLayout {
  rows: number
  columns: [width: Width, offset: number][]
}

const arrayTypes = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array } as const
const aligned = (offset: number): number => Math.ceil(offset / 8) * 8

function widthFor(values: number[]): Width {
  let max = 0
  for (const value of values) if (value > max) max = value
  return max < 2 ** 8 ? 1 : max < 2 ** 16 ? 2 : max < 2 ** 32 ? 4 : 8
}

/** Length of the layout, the layout as JSON, then each column in the narrowest type that fits its largest value. */
export function encodeDay(tables: Record<string, number[][]>): Buffer {
  let offset = 0
  const layout: Record<string, TableLayout> = {}
  for (const [name, columns] of Object.entries(tables)) {
    layout[name] = {
      rows: columns[0]?.length ?? 0,
      columns: columns.map((values) => {
        const width = widthFor(values)
        const start = offset
        offset = aligned(offset + width * values.length)
        return [width, start]
      }),
    }
  }
  const header = Buffer.from(JSON.stringify(layout))
  const dataStart = aligned(4 + header.length)
  const bytes = new Uint8Array(dataStart + offset)
  new DataView(bytes.buffer).setUint32(0, header.length)
  bytes.set(header, 4)
  for (const [name, columns] of Object.entries(tables)) {
    for (const [index, values] of columns.entries()) {
      const [width, start] = layout[name]?.columns[index] ?? [8, 0]
      new arrayTypes[width](bytes.buffer, dataStart + start, values.length).set(values)
    }
  }
  return Buffer.from(bytes.buffer)
}

/** The decoder reuses its arrays: a result is valid until the next call. */
export function dayDecoder(tables: Record<string, DatasetTable>): (data: Uint8Array) => Record<string, Columns> {
  const decoded: Record<string, Columns> = {}
  for (const name of Object.keys(tables)) decoded[name] = { rows: 0, values: {}, names: {} }
  return (data) => {
    const { buffer } = new Uint8Array(data) // a copy, so that the columns are aligned
    const length = new DataView(buffer).getUint32(0)
    const layout = JSON.parse(Buffer.from(buffer, 4, length).toString()) as Record<string, TableLayout>
    const dataStart = aligned(4 + length)
    for (const [name, { columns }] of Object.entries(tables)) {
      const table = decoded[name]
      const stored = layout[name]
      if (!table || !stored) continue
      table.rows = stored.rows
      for (const [index, [column, type]] of Object.entries(columns).entries()) {
        const [width, start] = stored.columns[index] ?? [8, 0]
        const values = new arrayTypes[width](buffer, dataStart + start, stored.rows)
        if (type === 'number') table.values[column] = copyInto(table.values[column] ?? new Float64Array(), values)
        else table.names[column] = copyInto(table.names[column] ?? new Uint32Array(), values)
      }
    }
    return decoded
  }
}

function copyInto<Values extends Float64Array | Uint32Array>(target: Values, values: ArrayLike<number>): Values {
  const Type = target.constructor as new (length: number) => Values
  const large = target.length < values.length ? new Type(values.length * 2) : target
  large.set(values)
  return large
}
