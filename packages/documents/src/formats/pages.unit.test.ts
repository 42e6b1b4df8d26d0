import { describe, expect, it } from 'vitest'
import { billionLaughs, makeEpub, makeZip, toBytes } from '../../test/documents.ts'
import { defaultLimits } from '../document.ts'
import { parseBytes } from '../parse.ts'

const parse = (content: string | Uint8Array, name = 'file') =>
  parseBytes(typeof content === 'string' ? toBytes(content) : content, { name }, defaultLimits)

const paragraph =
  'A paragraph that is long enough, with some commas, to be taken for the text of an article by anyone who reads it.'

describe('HTML', () => {
  it('extracts the article without navigation and footer', async () => {
    const { text, headings, metadata } = await parse(
      `<!doctype html><html lang="en"><head><title>The news</title><meta name="author" content="Ada"></head><body>
       <nav><a href="/">Home</a><a href="/more">More of this site</a></nav>
       <article><h1>The <em>news</em></h1>${`<p>${paragraph}</p>`.repeat(5)}<h2>Later<br>on</h2><p>See <a href="https://example.org/very/long">this page</a> and <b>that</b>.</p>
       <ul><li>one</li><li>two</li></ul><pre><code>let x = 1</code></pre><script>alert(1)</script></article>
       <footer>Imprint and other things</footer></body></html>`,
    )
    expect(text).toContain('See this page and that.')
    expect(text).toContain('-   one\n-   two')
    expect(text).toContain('```\nlet x = 1\n```')
    expect(text).not.toMatch(/Home|Imprint|alert|example\.org/)
    expect(headings.map(({ level, title }) => [level, title])).toEqual([
      [1, 'The news'],
      [2, 'Later on'],
    ])
    expect(metadata).toEqual({ title: 'The news', author: 'Ada', language: 'en' })
  })

  it('reads the whole body if there is no article', async () => {
    expect((await parse('<html><body><p>Just a line.</p></body></html>')).text).toBe('Just a line.')
    expect((await parse('<html><body><nav>Only a menu</nav></body></html>')).text).toBe('Only a menu')
  })

  it('converts data tables to Markdown and unwraps layout tables', async () => {
    const table =
      '<table><thead><tr><th>Year</th><th>Sum</th></tr></thead><tbody><tr><td>2024</td><td><p>7 | 8</p></td></tr><tr><td colspan="2">all</td></tr></tbody></table>'
    const { text } = await parse(
      `<html><body><p>${paragraph}</p><table><tr><td>${table}</td></tr></table></body></html>`,
    )
    expect(text).toBe(`${paragraph}\n\n| Year | Sum |\n| --- | --- |\n| 2024 | 7 \\| 8 |\n| all |  |`)
  })

  it('keeps cells that span rows and columns in their columns', async () => {
    const { text } = await parse(
      `<html><body><p>${paragraph}</p><table>
       <tr><th rowspan="2">Region</th><th colspan="2">2023</th><th colspan="2">2022</th></tr>
       <tr><th>Sales</th><th>Profit</th><th>Sales</th><th>Profit</th></tr>
       <tr><td rowspan="2">North</td><td>1</td><td>2</td><td>3</td><td>4</td></tr>
       <tr><td colspan="2">none</td><td>5</td><td>6</td></tr></table></body></html>`,
    )
    expect(text.split('\n\n')[1]).toBe(
      `| Region | 2023 Sales | 2023 Profit | 2022 Sales | 2022 Profit |
| --- | --- | --- | --- | --- |
| North | 1 | 2 | 3 | 4 |
| North | none |  | 5 | 6 |`,
    )
  })

  it('keeps a table around a table', async () => {
    const inner = '<table><tr><td>Width</td><td>3 cm</td></tr><tr><td>Height</td><td>4 cm</td></tr></table>'
    const { text } = await parse(
      `<html><body><p>${paragraph}</p><table><tr><th>Part</th><th>Size</th></tr>
       <tr><td>Bolt</td><td>about ${inner}</td></tr><tr><td>Nut</td><td>small</td></tr></table></body></html>`,
    )
    expect(text.split('\n\n')[1]).toBe(
      `| Part | Size |
| --- | --- |
| Bolt | about Width, 3 cm; Height, 4 cm |
| Nut | small |`,
    )
  })

  it('limits the cells that spans add', async () => {
    const row = `<tr>${'<td colspan="1000" rowspan="65000">x</td>'.repeat(100)}</tr>`
    const { text } = await parse(`<html><body><p>${paragraph}</p><table>${row.repeat(100)}</table></body></html>`)
    expect(text.split('|').length).toBeLessThan(70_000)
  })

  it('uses the encoding that the page declares', async () => {
    const page = Buffer.from(
      '<html><head><meta charset="iso-8859-7"></head><body><p>\xe1\xe2\xe3</p></body></html>',
      'latin1',
    )
    expect((await parse(page)).text).toBe('αβγ')
  })

  it('handles 100,000 levels of nesting and a million nodes', async () => {
    const deep = await parse(`<!doctype html><body>${'<div>'.repeat(100_000)}<h2>Down</h2> here &amp; now`)
    expect(deep).toMatchObject({
      text: '## Down\n\nhere & now',
      warnings: [expect.stringContaining('too deeply nested')],
    })
    const wide = await parse(
      `<!doctype html><body><table>${'<tr><td>a</td><td>b</td></tr>'.repeat(60_000)}</table><script>x</script><p>end`,
    )
    expect(wide.text).toMatch(/^a \| b\na \| b\n[^x]*\n\nend$/)
  }, 300_000)
})

describe('EPUB', () => {
  it('follows the spine, with chapter titles from the table of contents if a chapter has none', async () => {
    const { text, headings, metadata, format } = await parse(
      makeEpub([
        { file: 'b two.xhtml', html: '<h2>Opening</h2><p>First words.</p>' },
        { file: 'a.xhtml', html: '<p>More words.</p>', title: 'Chapter two' },
      ]),
    )
    expect(format).toBe('epub')
    expect(text).toBe('## Opening\n\nFirst words.\n\n# Chapter two\n\nMore words.')
    expect(headings.map(({ title }) => title)).toEqual(['Opening', 'Chapter two'])
    expect(metadata).toEqual({ title: 'The book', author: 'Ada Example' })
  })

  it('reads self-closing elements', async () => {
    const { text } = await parse(
      makeEpub([{ file: 'a.xhtml', html: '<title/><a id="x"/><script src="y"/><p>One<br/>two.</p>' }]),
    )
    expect(text).toBe('One\ntwo.')
  })

  it('reports a protected or damaged book', async () => {
    const locked = '<encryption><CipherReference URI="book/text/a.xhtml"/></encryption>'
    const book = makeEpub([{ file: 'a.xhtml', html: '<p>x</p>' }], { 'META-INF/encryption.xml': locked })
    await expect(parse(book)).rejects.toMatchObject({ code: 'encrypted' })
    await expect(parse(makeZip({ 'META-INF/container.xml': '' }))).rejects.toMatchObject({ code: 'broken' })
  })

  it('does not expand nested entities', async () => {
    const { text } = await parse(
      makeEpub([{ file: 'a.xhtml', html: '<p>&l9; words</p>' }], { 'book/toc.ncx': `${billionLaughs}<ncx>&l9;</ncx>` }),
    )
    expect(text.length).toBeLessThan(100)
  })
})

describe('mail', () => {
  it('reads mails that were saved as UTF-16, and exports that begin with other lines', async () => {
    const plain = 'Content-Type: text/plain; charset=iso-8859-1\r\n\r\nGrüße aus Köln'
    const mail = `From: Ada <ada@example.org>\r\nTo: bob@example.org\r\nSubject: Tea\r\nMIME-Version: 1.0\r\n${plain}`
    const wide = Buffer.from(`\ufeff${mail}`, 'utf16le')
    const exported = Buffer.from(`From ada@example.org Mon Jan 1 10:00:00 2024\r\n\r\n${mail}`, 'latin1')
    for (const bytes of [wide, exported]) {
      const { format, text } = await parseBytes(new Uint8Array(bytes), { name: 'mail.txt' }, defaultLimits)
      expect([format, text]).toEqual([
        'eml',
        '# Tea\n\nFrom: Ada <ada@example.org>\nTo: bob@example.org\n\nGrüße aus Köln',
      ])
    }
  })

  const headers =
    'From: Ada <ada@example.org>\r\nTo: bob@example.org, Eve <eve@example.org>\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nDate: Mon, 6 May 2024 10:00:00 +0000\r\nMIME-Version: 1.0\r\n'

  it('shows sender, recipients, subject, body and attachment names', async () => {
    const { text, headings, metadata, format } = await parse(
      `${headers}Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nHello Bob.\r\n\r\nSigned\r\n------\r\n--x\r\nContent-Type: application/pdf; name="report.pdf"\r\nContent-Disposition: attachment; filename="report.pdf"\r\n\r\nzzz\r\n--x--\r\n`,
      'a.eml',
    )
    expect(format).toBe('eml')
    expect(text.replaceAll('\r', '')).toBe(
      '# Grüße\n\nFrom: Ada <ada@example.org>\nTo: bob@example.org, Eve <eve@example.org>\nDate: 2024-05-06T10:00:00.000Z\n\nHello Bob.\n\nSigned\n------\n\nAttachments: report.pdf',
    )
    expect(headings).toEqual([{ level: 1, title: 'Grüße', start: 0 }])
    expect(metadata).toMatchObject({ title: 'Grüße', from: 'Ada <ada@example.org>' })
  })

  it('reads a message with an HTML body only', async () => {
    const { text } = await parse(
      `${headers}Content-Type: text/html\r\n\r\n<p>Hello <b>Bob</b>.</p><ul><li>one</li></ul>`,
    )
    expect(text).toMatch(/Hello Bob\.\n\n- {3}one$/)
  })

  describe('attachments', () => {
    const part = (head: string, body: string) => `--x\r\n${head}\r\n\r\n${body}\r\n`
    const attached = (name: string, body: string, type = 'text/plain') =>
      part(`Content-Type: ${type}\r\nContent-Disposition: attachment; filename="${name}"`, body)
    const makeMail = (...parts: string[]) =>
      `${headers}Content-Type: multipart/mixed; boundary=x\r\n\r\n${parts.join('')}--x--\r\n`
    const nested = (mail: string) => attached('fwd.eml', mail.replace(/\bx\b(?=\r\n)/g, 'xx'), 'message/rfc822')
    const read = (mail: string, limits = {}) =>
      parseBytes(toBytes(mail), { name: 'a.eml' }, { ...defaultLimits, ...limits }, { attachments: true })
    const named = ({ attachments = [] }: Awaited<ReturnType<typeof read>>) =>
      Object.fromEntries(attachments.map(({ name, bytes }) => [name, Buffer.from(bytes).toString().trim()]))

    it('are given with names that differ, without pictures of the text and signatures', async () => {
      const html = part('Content-Type: text/html', '<p>Hello</p><img src="cid:logo@x">')
      const logo = part(
        'Content-Type: image/png; name="logo.png"\r\nContent-ID: <logo@x>\r\nContent-Disposition: inline',
        'png',
      )
      const files = [attached('../a/b.txt', 'one'), attached('b.txt', 'two'), attached('b.txt', 'three')]
      const signed = attached('smime.p7s', 'sig', 'application/pkcs7-signature')
      const document = await read(makeMail(html, logo, ...files, signed))
      expect(named(document)).toEqual({ '.. a b.txt': 'one', 'b.txt': 'two', 'b (2).txt': 'three' })
      expect(document.text).not.toMatch(/logo|smime/)
      expect(document.warnings).toEqual([])
    })

    it('of attached messages follow these, up to a depth', async () => {
      const inner = makeMail(part('Content-Type: text/plain', 'Inner'), attached('c.txt', 'deep'))
      const mail = makeMail(part('Content-Type: text/plain', 'Outer'), nested(inner))
      const document = await read(mail)
      expect(Object.keys(named(document))).toEqual(['fwd.eml', 'fwd.eml/c.txt'])
      expect(document.text).not.toContain('Inner')
      const flat = await read(mail, { attachmentDepth: 1 })
      expect(Object.keys(named(flat))).toEqual(['fwd.eml'])
      expect(flat.warnings).toEqual(['The attachments of fwd.eml are nested too deeply and were left out.'])
      expect((await parse(mail, 'a.eml')).attachments).toBeUndefined()
    })

    it('are limited in number and size', async () => {
      const mail = makeMail(attached('a.txt', 'one'), attached('b.txt', 'two'))
      for (const limits of [{ attachments: 1 }, { attachmentBytes: 5 }]) {
        const document = await read(mail, limits)
        expect(Object.keys(named(document))).toEqual(['a.txt'])
        expect(document.warnings).toEqual([expect.stringContaining('Only the first attachments were read')])
      }
      expect((await read(mail, { attachments: 2, attachmentBytes: 8 })).warnings).toEqual([])
    })
  })

  it('rejects a message that is nested too deeply', async () => {
    const nested = Array.from(
      { length: 1000 },
      (_, index) => `--b${index}\r\nContent-Type: multipart/mixed; boundary=b${index + 1}\r\n\r\n`,
    )
    await expect(
      parse(`${headers}Content-Type: multipart/mixed; boundary=b0\r\n\r\n${nested.join('')}`),
    ).rejects.toMatchObject({ code: 'broken' })
  })
})
