import { CFB, utils, write } from '@e965/xlsx'
import { expect, it } from 'vitest'
import { makeDocx, makeZip, toBytes, wordParagraph } from '../../test/documents.ts'
import { defaultLimits } from '../document.ts'
import { parseBytes } from '../parse.ts'

const parse = (content: string | Uint8Array, name = 'file') =>
  parseBytes(typeof content === 'string' ? toBytes(content) : content, { name }, defaultLimits)

const makeOdt = (body: string): Uint8Array =>
  makeZip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b"><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    'meta.xml':
      '<office:document-meta><office:meta><dc:title>Plan</dc:title><dc:creator>Ada</dc:creator></office:meta></office:document-meta>',
  })

it('reads OpenDocument texts with headings, lists, tables and notes', async () => {
  const cell = (text: string, more = '') => `<table:table-cell${more}><text:p>${text}</text:p></table:table-cell>`
  const document = await parse(
    makeOdt(
      `<text:tracked-changes><text:p>removed words</text:p></text:tracked-changes>
       <text:h text:outline-level="1">Report</text:h><text:p>Five &lt; six<text:s text:c="2"/>words<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>a note</text:p></text:note-body></text:note>.</text:p>
       <text:list><text:list-item><text:p>one</text:p></text:list-item></text:list>
       <table:table><table:table-row>${cell('Year')}${cell('Sum')}</table:table-row>
       <table:table-row>${cell('2024', ' table:number-rows-spanned="2"')}${cell('7')}</table:table-row>
       <table:table-row><table:covered-table-cell/>${cell('8')}</table:table-row></table:table>`,
    ),
    'plan.odt',
  )
  expect(document).toMatchObject({ format: 'odt', metadata: { title: 'Plan', author: 'Ada' } })
  expect(document.text).toContain('# Report')
  expect(document.text).toContain('Five < six words')
  expect(document.text).toContain('a note')
  expect(document.text).toContain('-   one')
  expect(document.text).toContain('| Year | Sum |\n| --- | --- |\n| 2024 | 7 |\n| 2024 | 8 |')
  expect(document.text).not.toContain('removed')
})

it('reads OpenDocument spreadsheets', async () => {
  const book = utils.book_new()
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['City', 'People'],
      ['Rome', 3],
    ]),
    'Cities',
  )
  const document = await parse(new Uint8Array(write(book, { type: 'array', bookType: 'ods' })), 'cities.ods')
  expect([document.format, document.text]).toEqual([
    'ods',
    '# Cities\n\n| City | People |\n| --- | --- |\n| Rome | 3 |',
  ])
})

it('divides tables that an OpenDocument spreadsheet declares', async () => {
  const cells = (...texts: (string | number)[]) =>
    texts.map((text) => `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`)
  const rows = [
    cells('City', 'People', 'Product', 'Price'),
    cells('Rome', 3, 'Lamp', 20),
    cells('Oslo', 1, 'Chair', 35),
  ]
  const table = rows.map((row) => `<table:table-row>${row.join('')}</table:table-row>`).join('')
  const range = (address: string) =>
    `<table:database-range table:name="x" table:target-range-address="${address}" table:contains-header="true"/>`
  const content = `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet><table:table table:name="My sheet">${table}</table:table><table:database-ranges>${range("'My sheet'.A1:'My sheet'.B3")}${range("$'My sheet'.$C$1:.$D$3")}</table:database-ranges></office:spreadsheet></office:body></office:document-content>`
  const type = 'application/vnd.oasis.opendocument.spreadsheet'
  const manifest = `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`
  const { text } = await parse(
    makeZip({ mimetype: type, 'content.xml': content, 'styles.xml': '<x/>', 'META-INF/manifest.xml': manifest }),
    'tables.ods',
  )
  expect(text).toBe(
    '# My sheet\n\n| City | People |\n| --- | --- |\n| Rome | 3 |\n| Oslo | 1 |\n\n| Product | Price |\n| --- | --- |\n| Lamp | 20 |\n| Chair | 35 |',
  )
})

it('reads rich text with tables, quotes and letters of any alphabet', async () => {
  const { format, text } = await parse(
    String.raw`{\rtf1\ansi\constructor\ansicpg1252{\fonttbl{\f0 Hidden;}}{\*\generator Hidden;}{\pict 89504e47}
Caf\'e9 \ldblquote ok\rdblquote \u945?\u8364 E\par
A \{brace\}\line next\par
\trowd Year\cell Sum\cell\row\trowd 2024\cell 7\cell\row
End.\par}`,
  )
  expect(format).toBe('rtf')
  expect(text).toBe('Café “ok”α€\n\nA {brace}\nnext\n\n| Year | Sum |\n| --- | --- |\n| 2024 | 7 |\n\nEnd.')
})

it('reads the cells of a notebook without its pictures', async () => {
  const notebook = {
    metadata: { language_info: { name: 'python' } },
    cells: [
      { cell_type: 'markdown', source: ['# Analysis\n', 'Of tea.'] },
      {
        cell_type: 'code',
        source: 'print(1)',
        outputs: [
          { output_type: 'stream', text: ['1\n'] },
          { data: { 'image/png': 'iVBORw0KGgo', 'text/plain': '<Figure>' } },
        ],
      },
    ],
  }
  const { format, text, headings } = await parse(JSON.stringify(notebook), 'tea.ipynb')
  expect([format, text]).toEqual([
    'ipynb',
    '# Analysis\nOf tea.\n\n```python\nprint(1)\n```\n\n```\n1\n```\n\n```\n<Figure>\n```',
  ])
  expect(headings.map(({ title }) => title)).toEqual(['Analysis'])
  for (const other of ['{}', '[1]', '{"cells": [null, 1]}', '{"cells": ['])
    expect((await parse(`${other} `, 'x.ipynb').catch(({ code }) => code)) || null).toBeTruthy()
})

it('reads messages of Outlook', async () => {
  const container = CFB.utils.cfb_new()
  const add = (name: string, text: string) => CFB.utils.cfb_add(container, `/${name}`, Buffer.from(text, 'utf16le'))
  add('__properties_version1.0', '')
  add('__substg1.0_0037001F', 'Offer\n2024')
  add('__substg1.0_0C1A001F', 'Ada')
  add('__substg1.0_5D01001F', 'ada@a.example')
  add('__substg1.0_0E04001F', 'Bob')
  add('__substg1.0_1000001F', 'Dear Bob,\n\nhere is the offer.')
  add('__attach_version1.0_#00000000/__substg1.0_3707001F', 'offer.pdf')
  const { format, text, metadata } = await parse(new Uint8Array(CFB.write(container, { type: 'buffer' })))
  expect([format, text]).toEqual([
    'msg',
    '# Offer 2024\n\nFrom: Ada <ada@a.example>\nTo: Bob\n\nDear Bob,\n\nhere is the offer.\n\nAttachments: offer.pdf',
  ])
  expect(metadata).toMatchObject({ title: 'Offer 2024', from: 'Ada <ada@a.example>' })
})

it('reads the attachments of messages of Outlook', async () => {
  const container = CFB.utils.cfb_new()
  const add = (name: string, content: string | Buffer) =>
    CFB.utils.cfb_add(container, `/${name}`, typeof content === 'string' ? Buffer.from(content, 'utf16le') : content)
  add('__properties_version1.0', '')
  add('__substg1.0_0037001F', 'Offer')
  const [file, picture, message] = [0, 1, 2].map((at) => `__attach_version1.0_#0000000${at}/`)
  add(`${file}__substg1.0_3707001F`, 'prices.csv')
  add(`${file}__substg1.0_37010102`, Buffer.from('tea;3'))
  add(`${picture}__substg1.0_3707001F`, 'logo.png')
  add(`${picture}__substg1.0_3712001F`, 'logo@x')
  add(`${picture}__substg1.0_37010102`, Buffer.from('png'))
  add(`${message}__substg1.0_3001001F`, 'Forwarded')
  const inner = `${message}__substg1.0_3701000D/`
  add(`${inner}__properties_version1.0`, '')
  add(`${inner}__substg1.0_0037001F`, 'Forwarded')
  add(`${inner}__substg1.0_1000001F`, 'Inner text')
  add(`${inner}__attach_version1.0_#00000000/__substg1.0_3707001F`, 'deep.txt')
  add(`${inner}__attach_version1.0_#00000000/__substg1.0_37010102`, Buffer.from('deep'))
  const bytes = new Uint8Array(CFB.write(container, { type: 'buffer' }))
  const { text, attachments = [] } = await parseBytes(bytes, { name: 'a.msg' }, defaultLimits, { attachments: true })
  expect(text).toBe('# Offer\n\nAttachments: prices.csv, Forwarded.msg')
  expect(attachments.map(({ name }) => name)).toEqual(['prices.csv', 'Forwarded.msg', 'Forwarded.msg/deep.txt'])
  expect(attachments.map(({ bytes }) => Buffer.from(bytes).toString()).filter((_, at) => at !== 1)).toEqual([
    'tea;3',
    'deep',
  ])
  expect((await parse(attachments[1]?.bytes ?? new Uint8Array())).text).toBe(
    '# Forwarded\n\nInner text\n\nAttachments: deep.txt',
  )
})

it('survives damaged files of these formats', async () => {
  const whole = [
    makeOdt('<text:p>Words</text:p>'),
    toBytes('{\\rtf1 words\\cell\\row\\par}'),
    makeDocx(wordParagraph('Words')),
  ]
  for (const bytes of whole)
    for (let cut = 5; cut < bytes.length; cut += Math.ceil(bytes.length / 12)) {
      const result = await parse(bytes.slice(0, cut)).catch((error: Error) => error.name)
      expect(result).toBeTruthy()
    }
  await expect(parse(makeOdt('<text:list>'.repeat(2_000)), 'x.odt')).rejects.toMatchObject({ code: 'too_complex' })
})
