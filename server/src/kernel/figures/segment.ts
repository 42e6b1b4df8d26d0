import type { BookTable, Columns } from './book.ts'

type Width = 1 | 2 | 4 | 8
interface Placed {
  rows: number
  columns: [width: Width, offset: number][]
}

const views = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array } as const
const aligned = (offset: number): number => Math.ceil(offset / 8) * 8

function widthFor(values: number[]): Width {
  let most = 0
  for (const value of values) if (value > most) most = value
  return most < 2 ** 8 ? 1 : most < 2 ** 16 ? 2 : most < 2 ** 32 ? 4 : 8
}

/** The tables of one day as bytes: each column in the fewest that hold its largest value. */
export function encodeDay(tables: Record<string, number[][]>): Buffer {
  let offset = 0
  const placed: Record<string, Placed> = {}
  for (const [name, columns] of Object.entries(tables)) {
    placed[name] = {
      rows: columns[0]?.length ?? 0,
      columns: columns.map((values) => {
        const width = widthFor(values)
        const at = offset
        offset = aligned(offset + width * values.length)
        return [width, at]
      }),
    }
  }
  const head = Buffer.from(JSON.stringify(placed))
  const start = aligned(4 + head.length)
  const bytes = new Uint8Array(start + offset)
  new DataView(bytes.buffer).setUint32(0, head.length)
  bytes.set(head, 4)
  for (const [name, columns] of Object.entries(tables)) {
    for (const [index, values] of columns.entries()) {
      const [width, at] = placed[name]?.columns[index] ?? [8, 0]
      new views[width](bytes.buffer, start + at, values.length).set(values)
    }
  }
  return Buffer.from(bytes.buffer)
}

/** Reads days into the same arrays again and again: what it answers holds until the next day is read. */
export function dayDecoder(tables: Record<string, BookTable>): (data: Uint8Array) => Record<string, Columns> {
  const decoded: Record<string, Columns> = {}
  for (const name of Object.keys(tables)) decoded[name] = { rows: 0, values: {}, names: {} }
  return (data) => {
    const { buffer } = new Uint8Array(data) // copied, so that every column begins where its type may
    const length = new DataView(buffer).getUint32(0)
    const placed = JSON.parse(Buffer.from(buffer, 4, length).toString()) as Record<string, Placed>
    const start = aligned(4 + length)
    for (const [name, { columns }] of Object.entries(tables)) {
      const table = decoded[name]
      const place = placed[name]
      if (!table || !place) continue
      table.rows = place.rows
      for (const [index, [column, type]] of Object.entries(columns).entries()) {
        const [width, at] = place.columns[index] ?? [8, 0]
        const stored = new views[width](buffer, start + at, place.rows)
        if (type === 'number') table.values[column] = into(table.values[column] ?? new Float64Array(), stored)
        else table.names[column] = into(table.names[column] ?? new Uint32Array(), stored)
      }
    }
    return decoded
  }
}

function into<Values extends Float64Array | Uint32Array>(values: Values, stored: ArrayLike<number>): Values {
  const large = values.length < stored.length ? (values.constructor as new (length: number) => Values) : null
  const target = large ? new large(stored.length * 2) : values
  target.set(stored)
  return target
}
