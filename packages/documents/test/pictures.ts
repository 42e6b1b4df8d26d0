import { crc32, deflateSync, inflateSync } from 'node:zlib'

// A picture of "Green tea is brewed / at eighty degrees.": one bit for each pixel, white is 1, compressed.
const compressed =
  'eNrt1jFv4zYUB3D6UlSbOB8Q+PVb9AYhr1vHfIV+giKjAxCmDh7SKcSNXeyv0dGGC+iGIPoKMjxoNauFAgj+L5TTQPLlcjnggA7VGwjJ+IkkHp+eDIwxxhhjfIeoAZS9+961o2/A67OnS/tVvNicYnwZy/b1ODBejz3DFhUO+p5QyQprjfpAuJeNWfs50xq7HtawSc5r+pigkjnnhLqS+Jj8I/P5nDnX+WUfH35O6UZuCliktCTU2xLrxeH36YWiiyn/KAc4sFkVxR4WbGBQl8B2fwg8zaYXTHSCtaG6aGADlyhRG6Cw1utltsz0kk0PT6zXJddlxLrDJVC0jYfJlgq3XA6xkCLpsJBVgnoLlG3jhXx3q0Q6wK31Ij3ih6fyBHXFj/jtnRKpPsE6MDqsIQvUTnYYeHunED7DOOKgQQVqmEf8551H4P5xDzFHXKCwjdf48HdcdIgDg46YwTc9vKgiNv2qs4Hiwg1aEOiIt/smMBZVnKeHFzuLxCyKsoFDYtIEtTHYbJsgabsLklLZf1MscrmOqXMyl/mvqPNYSA1y2u6QU6+Q4KRFxQcqGwRZ8abo8nwvG6x1YbHWu3LsYf/raLumcKxw/d0wP2F6HcZ/jSdeICRtSNWVF6VDSPUGm/KWE7xHPrRBKAF/1vo36hclCgf/RgudX/6RTSCCGK4SZppxsK37SaVMRQv32/ycf5Dv/7rymcpOthSYYV3rnGKi2sK5uSaSN61X8+yz7TNj71vrlSbax+6oYgO/sWGGDM/g2l83HW72eLjAUhvThGucn86cE6MS101QetXhoMRUl+YgZuKcTrPRx7ZGE2YdrsRMTM+G2DMxarRH3BYRxwZu9rFeTvLsdR+7iLtub2JThRtu2oMYe3TZWJErYzYQ2JjYVE+P3oc+9qZLXcT2OTwngkU8lIgpHspDA5fGxcoKaojfEeEwa92V0isTCO5qHhu4cZmaZk4Npg4TyuFFLCS9ygN1hUT5pfFCi0z44T4SqhDOYonqVfyEhFSv9aY0mCAPZ/754u5+fvpfY15+v49Yvw67pydi0Mv20I2PePoVPIlj9Xgn+EUckjju/v04jg19jDHGGGOMb4xP/xN0Vg=='

export const [width, height] = [360, 120]
const rowBytes = width / 8
const bits = Buffer.from(inflateSync(Buffer.from(compressed, 'base64')))

const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** The picture as a PNG, which may claim to be of another size. */
export function makePng(size: { width: number; height: number } = { width, height }): Uint8Array {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size.width, 0)
  head.writeUInt32BE(size.height, 4)
  head[8] = 1
  const rows = Array.from({ length: height }, (_, row) =>
    Buffer.concat([Buffer.of(0), bits.subarray(row * rowBytes, (row + 1) * rowBytes)]),
  )
  return new Uint8Array(
    Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      pngChunk('IHDR', head),
      pngChunk('IDAT', deflateSync(Buffer.concat(rows))),
      pngChunk('IEND', Buffer.alloc(0)),
    ]),
  )
}

export function makeBmp(): Uint8Array {
  const stride = Math.ceil(rowBytes / 4) * 4
  const file = Buffer.alloc(62 + stride * height)
  file.write('BM')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(62, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(1, 28)
  file.writeUInt32LE(0xffffff, 58)
  for (let row = 0; row < height; row++)
    bits.copy(file, 62 + (height - 1 - row) * stride, row * rowBytes, (row + 1) * rowBytes)
  return new Uint8Array(file)
}

export function makeTiff(): Uint8Array {
  const [short, long] = [3, 4]
  const fields = [
    [256, short, width],
    [257, short, height],
    [258, short, 1],
    [259, short, 1],
    [262, short, 1],
    [273, long, 8],
    [277, short, 1],
    [278, short, height],
    [279, long, bits.length],
  ]
  const directory = Buffer.alloc(2 + fields.length * 12 + 4)
  directory.writeUInt16LE(fields.length)
  fields.forEach(([tag = 0, type = 0, value = 0], index) => {
    const at = 2 + index * 12
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(type, at + 2)
    directory.writeUInt32LE(1, at + 4)
    directory.writeUInt32LE(value, at + 8)
  })
  const head = Buffer.from('II*\0\0\0\0\0', 'latin1')
  head.writeUInt32LE(8 + bits.length, 4)
  return new Uint8Array(Buffer.concat([head, bits, directory]))
}

const pixelAt = (row: number, column: number): number =>
  ((bits[row * rowBytes + (column >> 3)] ?? 0) >> (7 - (column & 7))) & 1 ? 255 : 0

const makePgm = (columns: number, rows: number, shade: (row: number, column: number) => number): Uint8Array =>
  Buffer.concat([
    Buffer.from(`P5 ${columns} ${rows} 255\n`),
    Buffer.from(Array.from({ length: columns * rows }, (_, at) => shade(Math.floor(at / columns), at % columns))),
  ])

/** The picture as a PGM, lying on its side. */
export const turnedPgm = (): Uint8Array => makePgm(height, width, (row, column) => pixelAt(column, width - 1 - row))

/** The picture as a PGM with a ninth of its pixels, in shades of grey. */
export const smallPgm = (): Uint8Array =>
  makePgm(width / 3, height / 3, (row, column) => {
    const steps = [0, 1, 2]
    const pixels = steps.flatMap((down) => steps.map((right) => pixelAt(3 * row + down, 3 * column + right)))
    return pixels.reduce((sum, pixel) => sum + pixel) / pixels.length
  })

/** The same as a PNG with a palette. */
export function smallPng(): Uint8Array {
  const columns = width / 3
  const shades = smallPgm().subarray(-columns * (height / 3))
  const head = Buffer.alloc(13)
  head.writeUInt32BE(columns, 0)
  head.writeUInt32BE(height / 3, 4)
  head[8] = 8
  head[9] = 3
  const rows = Array.from({ length: height / 3 }, (_, row) =>
    Buffer.concat([Buffer.of(0), shades.subarray(row * columns, (row + 1) * columns)]),
  )
  const palette = Buffer.from(Array.from({ length: 256 }, (_, shade) => [shade, shade, shade]).flat())
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', head),
    pngChunk('PLTE', palette),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Two columns as a PGM, each with the picture three times. */
export const columnsPgm = (): Uint8Array => {
  const gap = 40
  return makePgm(2 * width + gap, 3 * height, (row, column) => {
    const inColumn = column % (width + gap)
    return inColumn < width ? pixelAt(row % height, inColumn) : 255
  })
}

/** A PDF whose pages are texts, or the picture (null), or the picture over most of the page with a stamp. */
export function makeScan(
  pages: (string | null | { stamp: string })[],
  colorSpace: 'gray' | 'bits' = 'bits',
): Uint8Array {
  const objects: Buffer[] = []
  const add = (content: string | Buffer): number => objects.push(Buffer.from(content))
  const makeStream = (dictionary: string, data: Buffer) =>
    Buffer.concat([
      Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`),
      data,
      Buffer.from('\nendstream'),
    ])
  const pixels =
    colorSpace === 'bits'
      ? bits
      : Buffer.from(Array.from({ length: width * height }, (_, at) => pixelAt(Math.floor(at / width), at % width)))
  add('<< /Type /Catalog /Pages 2 0 R >>')
  add('')
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  add(
    makeStream(
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent ${colorSpace === 'bits' ? 1 : 8} /Filter /FlateDecode`,
      deflateSync(pixels),
    ),
  )
  const kids = pages.map((text) => {
    const scan = (size: string) => `q ${size} cm /Scan Do Q`
    const written = (words: string) => `BT /F1 12 Tf 50 700 Td (${words}) Tj ET`
    const drawn =
      text === null
        ? scan(`${width} 0 0 ${height} 50 600`)
        : typeof text === 'string'
          ? written(text)
          : `${scan('1 0 0 1 10 10 cm 575 0 0 600 0 0')} ${written(text.stamp)}`
    const content = add(makeStream('', Buffer.from(drawn)))
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${content} 0 R /Resources << /Font << /F1 3 0 R >> /XObject << /Scan 4 0 R >> >> >>`,
    )
  })
  objects[1] = Buffer.from(
    `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((id) => `${id} 0 R`).join(' ')}] >>`,
  )
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const starts: number[] = []
  for (const [index, object] of objects.entries()) {
    starts.push(parts.reduce((sum, { length }) => sum + length, 0))
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'))
  }
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  const at = parts.reduce((sum, { length }) => sum + length, 0)
  const trailer = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`
  return new Uint8Array(Buffer.concat([...parts, Buffer.from(trailer)]))
}
