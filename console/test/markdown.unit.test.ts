import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { countSteps } from '../../test/steps.ts'

const steps = countSteps()
afterAll(steps.stop)

// Not imported by name, because React's types and JSX are not known to the type check of tests.
const load = (module: string) => import(module)
const { createElement } = await load('react')
const { renderToStaticMarkup } = await load('react-dom/server')
const { Markdown } = await load('../src/ui/markdown.tsx')
const { parseBlocks } = await load('../src/ui/markdown/blocks.ts')
const { withoutWraps } = await load('../src/ui/markdown/wrapped-lines.ts')
const { addMath } = await load('../src/ui/markdown/math.ts')
const { addFootnotes } = await load('../src/ui/markdown/footnotes.tsx')
const { default: MarkdownIt } = await load('markdown-it')

const renderWhole = (text: string): string =>
  renderToStaticMarkup(createElement(Markdown, { text, renderCitation: (label: string) => `{${label}}` })).slice(
    '<div class="markdown">'.length,
    -'</div>'.length,
  )

/** Without the direction, which every block has. */
const render = (text: string): string => renderWhole(text).replaceAll(' dir="auto"', '')

describe('Markdown', () => {
  it('lets the text of each block say its direction', () => {
    expect(renderWhole('שלום\n\n- abc')).toBe('<p dir="auto">שלום</p><ul><li dir="auto">abc</li></ul>')
  })

  it('becomes elements', () => {
    expect(render('# Title\n\nA *b* **c** ~~d~~ `e`\nf [1]')).toBe(
      '<h3>Title</h3><p>A <em>b</em> <strong>c</strong> <del>d</del> <code>e</code><br/>f {1}</p>',
    )
    expect(render('3. a\n4. b\n\n- [x] c\n- [ ] d [2]')).toBe(
      '<ol start="3"><li>a</li><li>b</li></ol><ul>' +
        '<li><input type="checkbox" readOnly="" aria-label="Done" checked=""/>c</li>' +
        '<li><input type="checkbox" readOnly="" aria-label="Done"/>d {2}</li></ul>',
    )
    expect(render('> a\n\n---\n\n|a|b|\n|-|-|\n|c|d|')).toBe(
      '<blockquote><p>a</p></blockquote><hr/><div class="table-frame"><table><thead><tr><th>a</th><th>b</th></tr></thead>' +
        '<tbody><tr><td>c</td><td>d</td></tr></tbody></table></div>',
    )
    expect(render('|a|b|\n|:-:|-:|\n|c|d|')).toContain(
      '<th style="text-align:center">a</th><th style="text-align:right">b</th>',
    )
    expect(render('```js\nlet a\n```')).toContain('<span class="code-language">js</span>')
    expect(render('```js\nlet a\n```')).toContain('<pre>let a</pre>')
    expect(render('```\nlet a\n```')).not.toContain('code-language')
  })

  it('has formulas, and prices that are none', () => {
    const formula = (tex: string) => `<span class="formula"><code>${tex}</code></span>`
    expect(render('So $a^2$ and \\(b\\).')).toBe(`<p>So ${formula('a^2')} and ${formula('b')}.</p>`)
    expect(render('$$\na\n+ b\n$$\nc')).toBe('<span class="formula block"><code>a\n+ b</code></span><p>c</p>')
    expect(render('\\[ a \\]')).toBe('<span class="formula block"><code>a</code></span>')
    expect(render('From $5 to $10, or $5-$10')).toBe('<p>From $5 to $10, or $5-$10</p>')
    expect(render('`$a$` $$ a')).toBe('<p><code>$a$</code> $$ a</p>')
  })

  it('numbers footnotes as the text refers to them, and lists them at its end', () => {
    const shown = render('A[^b] and[^a] and[^c].\n\n[^a]: One\n  more\n[^b]: *Two*\n\nEnd').replace(/ id="[^"]*"/g, '')
    const mark = (n: number) =>
      `<sup><button type="button" class="footnote-mark" aria-label="Footnote ${n}">${n}</button></sup>`
    const back = '<button type="button" class="footnote-mark" aria-label="Back to the text">↩</button>'
    expect(shown).toBe(
      `<p>A${mark(1)} and${mark(2)} and<sup>3</sup>.</p><p>End</p><ol class="footnotes">` +
        `<li value="1" tabindex="-1"><em>Two</em> ${back}</li><li value="2" tabindex="-1">One<br/>more ${back}</li></ol>`,
    )
  })

  it('joins the lines of a page, and keeps those that were broken on purpose', () => {
    const wrapped =
      'By eating urchins, otters protect the kelp; where they dis-\nappeared, urchins multiplied and grazed it down\nto bare rock.'
    const joined =
      'By eating urchins, otters protect the kelp; where they disappeared, urchins multiplied and grazed it down to bare rock.'
    expect(render(wrapped)).toBe(`<p>${joined}</p>`)
    expect(withoutWraps(wrapped)).toBe(joined)
    expect(withoutWraps('a well-\nKnown one\n\n- b\n- c')).toBe('a well- Known one\n\n- b\n- c')
    expect(render('14 Harbour Street\nOslo')).toBe('<p>14 Harbour Street<br/>Oslo</p>')
  })

  it('is the same whether it comes at once or in pieces', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        '\n',
        '\n\n',
        '- ',
        '1. ',
        '2',
        '.',
        ')',
        ' ',
        '-',
        '> ',
        '[^1]',
        ': ',
        '```js\n',
        '```',
        '# ',
        '|a|b|\n|-|-|\n',
        '$$',
        '    ',
        '===',
        '*',
        '[1]',
        '\\[',
      ],
    )
    const parser = new MarkdownIt({ html: false, breaks: true, maxNesting: 20 })
    addMath(parser)
    addFootnotes(parser)
    const shape = ({ blocks }: { blocks: { tokens: { type: string; content: string }[] }[] }) =>
      blocks.flatMap(({ tokens }) => tokens.map(({ type, content }) => `${type} ${content}`))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        let parsed = null
        let text = ''
        for (const each of pieces) {
          text += each
          parsed = parseBlocks(parser, text, parsed)
        }
        expect(parsed ? shape(parsed) : []).toEqual(text === '' ? [] : shape(parseBlocks(parser, text, null)))
      }),
      {
        numRuns: 600,
        // These close late, or change what is above them.
        examples: [
          [['$$', '\n', 'a', '\n\n', 'a', '\n', '$$', '\n\n', 'a']],
          [['```js\n', 'a', '\n\n', '- ', '```', '\n\n', 'a']],
          [['1. ', 'a', '\n\n', '2', '.', ' ', 'a', '\n\n', '    ', 'a']],
          [['[^1]', '\n\n', '[^1]', ': ', 'a', '\n\n', '    ', 'a']],
          [['a', '\n', '===', '\n', '> ', 'a', '\n', '\\[', 'a']],
        ],
      },
    )
  })

  it('keeps a list with empty lines in one piece while it is written', () => {
    const parser = new MarkdownIt()
    const text = '1. a\n\n2. b\n\n   more\n\n10. c\n\nEnd'
    let parsed = null
    for (let length = 1; length <= text.length; length++) parsed = parseBlocks(parser, text.slice(0, length), parsed)
    expect(parsed.blocks.map(({ tokens }: { tokens: { type: string }[] }) => tokens[0]?.type)).toEqual([
      'ordered_list_open',
      'paragraph_open',
    ])
  })

  it('parses only the last blocks again', () => {
    const parser = new MarkdownIt()
    const first = parseBlocks(parser, 'a\n\nb\n\nc', null)
    const second = parseBlocks(parser, 'a\n\nb\n\nc d', first)
    expect(second.blocks.map((block: object, at: number) => block === first.blocks[at])).toEqual([true, true, false])
  })

  it('has no HTML, images or links that run code', () => {
    expect(render('<b onclick="x">a</b>')).toBe('<p>&lt;b onclick=&quot;x&quot;&gt;a&lt;/b&gt;</p>')
    expect(render('[a](javascript:x)')).not.toContain('href')
    expect(render('[a](/settings) main.py')).toBe('<p>a main.py</p>')
    expect(render('![a](https://a.example/b.png)')).toMatch(/^<p><a href="https:\/\/a.example\/b.png" .*>a<\/a><\/p>$/)
    expect(render('See https://a.example.')).toMatch(
      /^<p>See <a href="https:\/\/a.example" .*>https:\/\/a.example<\/a>\.<\/p>$/,
    )
  })

  const hostile = {
    'nested quotes': '>'.repeat(3000),
    'nested lists': Array.from({ length: 400 }, (_, n) => `${' '.repeat(n * 2)}- a`).join('\n'),
    'lists in one line': '- '.repeat(10_000),
    'underscores in words': '_a'.repeat(10_000),
    'open emphasis': '*a **b'.repeat(3500),
    'nested emphasis': `${'*_'.repeat(5000)}a${'_*'.repeat(5000)}`,
    'strike-through': '~~a'.repeat(7000),
    brackets: '['.repeat(20_000),
    'open links': '[a]('.repeat(5000),
    'open images': '![['.repeat(7000),
    links: '[a](b) '.repeat(3000),
    backticks: Array.from({ length: 280 }, (_, n) => '`'.repeat(n)).join(' '),
    tags: '<a '.repeat(7000),
    entities: '&'.repeat(20_000),
    escapes: '\\'.repeat(20_000),
    addresses: 'http://a.'.repeat(2250),
    mails: 'a@'.repeat(10_000),
    definitions: '[a]: b\n'.repeat(3000),
    'a wide table': `${'|a'.repeat(4000)}\n${'|-'.repeat(4000)}\n|b`,
    'a long table': `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(3500)}`,
    'one paragraph of lines': `${'a\n'.repeat(10_000)}===`,
    'blank lines': '\n'.repeat(20_000),
    dollars: '$a '.repeat(7000),
    'open formulas': '\\('.repeat(10_000),
    'open blocks of formulas': '$$\na\n\n'.repeat(4000),
    'wrapped lines': `${'a'.repeat(60)}-\n`.repeat(750),
    citations: '[1]'.repeat(6500),
    'a very long text': '_a [b]('.repeat(200_000),
  }

  const ordinarySteps = steps.count(() => render('**a** `b` '.repeat(2000)))

  // In quadratic time it is fiftyfold.
  it.each(Object.entries(hostile))('renders %s in about as many steps as ordinary text', (_, text) => {
    expect(steps.count(() => render(text))).toBeLessThan(20 * ordinarySteps)
  })
})
