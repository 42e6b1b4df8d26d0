import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toBytes } from '../../test/documents.ts'
import { defaultLimits } from '../document.ts'
import { parseBytes } from '../parse.ts'

const parse = (content: string, name = 'page.html') => parseBytes(toBytes(content), { name }, defaultLimits)

const prose =
  'A paragraph that is long enough, with some commas, to be taken for the text of an article by anyone who reads it.'
const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
const page = (content: string) =>
  `<!doctype html><html><head><title>A page</title></head><body>${content}</body></html>`

/** Pieces of a page, whose words are written as {n} until they are numbered. */
const text = fc.integer({ min: 1, max: 40 }).map((words) => Array.from({ length: words }, () => '{w}').join(' '))
const { element } = fc.letrec<{ element: string; block: string }>((tie) => ({
  block: fc.oneof(
    text.map((words) => `<p>${words}, and more.</p>`),
    text.map((words) => `<div>${words}</div>`),
    fc.tuple(fc.integer({ min: 1, max: 6 }), text).map(([level, words]) => `<h${level}>${words}</h${level}>`),
    fc
      .array(text, { minLength: 1, maxLength: 5 })
      .map((items) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`),
    fc
      .array(text, { minLength: 1, maxLength: 4 })
      .map((items) => `<dl>${items.map((item) => `<dt>{w}</dt><dd>${item}</dd>`).join('')}</dl>`),
    fc
      .tuple(
        fc.boolean(),
        fc.array(fc.array(fc.tuple(text, text, fc.constantFrom('<p>{w}</p>', '{w}')), { minLength: 1, maxLength: 6 }), {
          minLength: 1,
          maxLength: 4,
        }),
      )
      .map(([hasHead, groups]) => {
        const head = hasHead ? '<thead><tr><th>{w}</th><th>{w}</th><th>{w}</th></tr></thead>' : ''
        const bodies = groups.map((rows) => `<tbody>${rows.map((cells) => row(...cells)).join('')}</tbody>`)
        return `<table>${head}${bodies.join('')}</table>`
      }),
    text.map((words) => `<blockquote>${words}</blockquote>`),
    text.map((words) => `<figure><img src="x.png"><figcaption>${words}</figcaption></figure>`),
    text.map((words) => `<details><summary>{w}</summary>${words}</details>`),
    text.map((words) => `<h3><button aria-expanded="false">${words}</button></h3>`),
    text.map((words) => `<div><button>{w}</button><div>${words}</div></div>`),
    text.map((words) =>
      `<blockquote>${words}<footer>{w}</footer></blockquote>`.replace(/^/, '<article>').concat('</article>'),
    ),
    text.map((words) => `<aside><h2>{w}</h2><p>${words}</p></aside>`),
    text.map((words) => `<article><p>{w}</p><aside>${words}</aside><footer>{w}</footer></article>`),
    text.map((words) => `<div role="tabpanel" hidden><table>${row(words, '{w}')}</table></div>`),
    text.map((words) => `<div hidden><h4>{w}</h4>${words}</div>`),
    text.map((words) => `<footer><h5>{w}</h5>${words}</footer>`),
    fc
      .array(text, { minLength: 3, maxLength: 5 })
      .map(
        (items) => `<article><ul>${items.map((item) => `<li><a href="/">${item}</a></li>`).join('')}</ul></article>`,
      ),
  ),
  element: fc.oneof(
    { maxDepth: 3 },
    tie('block'),
    fc
      .tuple(
        fc.constantFrom('div', 'section', 'article', 'div class="sidebar"', 'div class="related"', 'form'),
        fc.array(tie('element'), { minLength: 1, maxLength: 4 }),
      )
      .map(([name, children]) => `<${name}>${children.join('')}</${name.split(' ')[0]}>`),
  ),
}))

const numbered = (html: string): { html: string; words: string[] } => {
  const words: string[] = []
  return { html: html.replaceAll('{w}', () => `word${words.push(`word${words.length}`) - 1}`), words }
}

describe('the words of a page', () => {
  it('are all in its text, except for its navigation and footer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(element, { minLength: 1, maxLength: 8 }), fc.boolean(), async (elements, hasMain) => {
        const content = hasMain ? `<main>${elements.join('')}</main>` : elements.join('')
        const { html, words } = numbered(
          page(`<nav><a href="/">Home</a></nav>${content}<footer><a href="/imprint">Imprint</a></footer>`),
        )
        const { text: read } = await parse(html)
        const found = new Set(read.match(/word\d+/g))
        expect(words.filter((word) => !found.has(word))).toEqual([])
        expect(read).not.toMatch(/Home|Imprint/)
      }),
      { numRuns: 60 },
    )
  })

  it('include a table with long cells beside an article', async () => {
    const long = 'This cell explains in a whole sentence, with a comma or two, what the value beside it means. '.repeat(
      4,
    )
    const { text: read } = await parse(
      page(`<article><h1>Terms</h1>${`<p>${prose}</p>`.repeat(6)}</article>
        <div class="widget"><h2>Fees</h2><table><thead><tr><th>Service</th><th>Fee</th></tr></thead>
        <tbody>${row('Opening', long)}</tbody><tbody>${row('Closing', `${long} 45 euros`)}</tbody></table>
        <p>Valid from May.</p></div>`),
    )
    expect(read).toContain('## Fees')
    expect(read).toContain('| Service | Fee |')
    expect(read).toContain('45 euros |')
    expect(read).toContain('Valid from May.')
  })

  it('include an aside with most of the words, and a quote with its source', async () => {
    const aside = `<aside>${Array.from({ length: 9 }, (_, at) => `<p>Part ${at}. ${prose}</p>`).join('')}</aside>`
    const { text: read } = await parse(page(`<main><p>x</p></main>${aside}<footer>Imprint</footer>`))
    expect(read).toContain('Part 8.')
    expect(read).not.toContain('Imprint')
    const quote = `<blockquote><p>${prose}</p><footer>Ada Lovelace</footer></blockquote>`
    expect((await parse(page(`<p>${prose}</p>${quote}`))).text).toContain('Ada Lovelace')
  })

  it('leave out the button that copies code', async () => {
    const { text: read } = await parse(page(`<p>${prose}</p><pre><button>Copy</button><code>let x = 1</code></pre>`))
    expect(read).toContain('let x = 1')
    expect(read).not.toContain('Copy')
  })

  it('include a page that is one form', async () => {
    const { text: read } = await parse(
      page(`<form><h2>Opening hours</h2><table>${row('Monday', '9 to 5')}${row('Tuesday', 'closed')}</table></form>`),
    )
    expect(read).toContain('| Monday | 9 to 5 |')
    expect(read).toContain('| Tuesday | closed |')
  })

  it('include the tables that a Markdown file has as tags', async () => {
    const table = `<table><tr><th>Key</th><th>Meaning</th></tr>${row('a', 'first')}${row('b', 'second')}</table>`
    const { text: read, blocks } = await parse(
      `# Keys\n\n${table}\n\nAfter it.\n\n\`\`\`\n${table}\n\`\`\`\n`,
      'keys.md',
    )
    expect(read).toContain('| Key | Meaning |\n| --- | --- |\n| a | first |\n| b | second |\n\nAfter it.')
    expect(read).toContain(`\`\`\`\n${table}\n\`\`\``)
    expect(blocks?.some(({ kind }) => kind === 'table')).toBe(true)
  })
})
